import type { EditableTexts } from './prompt.ts'
import { countCharacters } from './text/pluralize.ts'
import { findTokens, textVariables } from './template.ts'

export interface LostPrefix {
  /** The lengths, in characters. */
  readonly before: number
  readonly after: number
  /** The variable that ends it now; `null` if it is where it was, or if there is none. */
  readonly variable: {
    readonly name: string
    readonly isNew: boolean
    readonly field: 'system' | 'user'
    /** Counted from 1. */
    readonly line: number
  } | null
}

/**
 * The length of the constant text before the first variable, in characters, in the order in which texts are
 * sent. Providers of models can cache only this.
 */
export function cacheablePrefix(texts: EditableTexts): number {
  return countCharacters(firstToken(texts)?.constant ?? texts.system + texts.user)
}

/** Shorter text is below the minimum that most providers cache: about 1,024 tokens. */
const MIN_PREFIX = 4000

/** Returns what a change loses: of at least 4,000 characters, so much that fewer or less than half stay. */
export function lostPrefix(before: EditableTexts, after: EditableTexts): LostPrefix | undefined {
  const [old, now] = [cacheablePrefix(before), cacheablePrefix(after)]
  if (old < MIN_PREFIX || (now >= MIN_PREFIX && now >= old / 2)) return undefined
  const lost = { before: old, after: now, variable: null }
  const [former, token] = [firstToken(before), firstToken(after)]
  if (token === undefined) return lost
  const { name, field, line } = token
  if (former?.name === name && former.field === field && former.line === line) return lost
  const isNew = !textVariables([before.system, before.user]).includes(name)
  return { ...lost, variable: { name, isNew, field, line } }
}

/** The first variable, and the text before it. */
function firstToken(texts: EditableTexts) {
  for (const field of ['system', 'user'] as const) {
    const { value: token } = findTokens(texts[field]).next()
    if (token === undefined) continue
    const before = texts[field].slice(0, token.start)
    const constant = field === 'user' ? texts.system + before : before
    return { name: token.name, constant, field, line: before.split('\n').length }
  }
  return undefined
}
