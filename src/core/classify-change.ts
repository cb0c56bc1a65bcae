import {
  changedFields,
  compareVariables,
  isSamePrompt,
  type PromptChange,
  promptRoles,
  promptVariables,
  type Role,
} from './compare.ts'
import { type EditableTexts, type PinnedPrompt, type PromptText, promptTexts } from './prompt.ts'
import { type OptionalSettings, partSettings } from './settings.ts'
import { findTokens, parseTemplate, textVariables } from './template.ts'
import { countCharacters } from './text/pluralize.ts'

export type ChangeEffect =
  | { readonly kind: 'prompt-added'; readonly variables: readonly string[] }
  | { readonly kind: 'prompt-removed' }
  | { readonly kind: 'variable-added' | 'variable-removed'; readonly name: string }
  /** A guess, by its place in the text. */
  | { readonly kind: 'variable-renamed'; readonly from: string; readonly to: string }
  /** Which of system and user text there are. */
  | { readonly kind: 'roles'; readonly before: readonly Role[]; readonly after: readonly Role[] }
  | {
      readonly kind: 'setting'
      readonly field: keyof OptionalSettings
      readonly before: string | number | null
      readonly after: string | number | null
    }
  /** The texts that differ; `source` only if neither of the others does. */
  | { readonly kind: 'text'; readonly fields: readonly PromptText['field'][] }
  /** Providers of models can cache much less of it. Not an error. */
  | ({ readonly kind: 'cacheable-prefix' } & LostPrefix)
  /** The staging part goes: the live version is the same now, or the test view has another one. */
  | { readonly kind: 'staging-ended'; readonly isPublished: boolean }
  /** The text was not read, so only what the service's list shows is compared. */
  | { readonly kind: 'unread' }

/**
 * Returns the changes of a lock that can break the app: of a contract, and additions, since they may take
 * an identifier from another prompt and code may need all names.
 */
export function riskyChanges(changes: readonly PromptChange[]): PromptChange[] {
  return changes.filter(
    (change) => change.kind === 'added' || listEffects(change).some(isOfContract),
  )
}

/** Whether an effect is one of the contract: what types can break. */
export function isOfContract(effect: ChangeEffect): boolean {
  if (effect.kind === 'setting') return effect.field === 'model'
  return (
    effect.kind === 'prompt-removed' ||
    effect.kind === 'roles' ||
    effect.kind.startsWith('variable')
  )
}

/** Returns the effects of a change, worst first; none if only the version label differs. */
export function listEffects(change: PromptChange): ChangeEffect[] {
  if (change.kind === 'added')
    return [{ kind: 'prompt-added', variables: promptVariables(change.after) }]
  if (change.kind === 'removed') return [{ kind: 'prompt-removed' }]
  const { before, after } = change
  const { version: _, ...now } = partSettings(after)
  const settings = (Object.keys(now) as (keyof OptionalSettings)[])
    .filter((field) => before[field] !== after[field])
    .map((field) => ({
      kind: 'setting' as const,
      field,
      before: before[field],
      after: after[field],
    }))
  const roles = { kind: 'roles' as const, before: promptRoles(before), after: promptRoles(after) }
  const fields = changedFields(change)
  const texts = fields.filter((field) => field !== 'source')
  const lost = lostPrefix(before, after)
  const isEnded = change.environment === 'test' && after.environment === 'live'
  return [
    ...(roles.before.join() === roles.after.join() ? [] : [roles]),
    ...listVariableEffects(before, after),
    ...settings.filter(isOfContract),
    ...(fields.length === 0
      ? []
      : [{ kind: 'text' as const, fields: texts.length > 0 ? texts : fields }]),
    ...(lost === undefined ? [] : [{ kind: 'cacheable-prefix' as const, ...lost }]),
    ...settings.filter((setting) => !isOfContract(setting)),
    ...(isEnded
      ? [{ kind: 'staging-ended' as const, isPublished: isSamePrompt(before, after) }]
      : []),
  ]
}

function listVariableEffects(before: PinnedPrompt, after: PinnedPrompt): ChangeEffect[] {
  const { added, removed } = compareVariables(before, after)
  const [[from, ...otherOld], [to, ...otherNew]] = [removed, added]
  if (from !== undefined && to !== undefined && otherOld.length + otherNew.length === 0)
    if (isRename([before, from], [after, to])) return [{ kind: 'variable-renamed', from, to }]
  return [
    ...added.map((name) => ({ kind: 'variable-added' as const, name })),
    ...removed.map((name) => ({ kind: 'variable-removed' as const, name })),
  ]
}

type Variable = readonly [prompt: PinnedPrompt, name: string]

/**
 * Guesses whether the only removed and the only added variable are one that was renamed: whether the new
 * one is in the same place, judging by the order of the tokens or by the text of a line.
 */
function isRename(old: Variable, now: Variable): boolean {
  if (JSON.stringify(listTokenNames(old)) === JSON.stringify(listTokenNames(now))) return true
  const lines = linesAround(now)
  return [...linesAround(old)].some((line) => lines.has(line))
}

/** The names of all tokens in the order of the texts, with repetitions and a placeholder for the one. */
function listTokenNames([prompt, variable]: Variable): string[] {
  return promptTexts(prompt).flatMap(({ text }) =>
    [...findTokens(text)].map(({ name }) => (name === variable ? PLACEHOLDER : name)),
  )
}

/** The lines with a variable's token and other text, with a placeholder for the token. */
function linesAround([prompt, name]: Variable): Set<string> {
  const lines = promptTexts(prompt).flatMap(({ text }) =>
    parseTemplate(text)
      .map((part) => {
        if (typeof part === 'string') return part
        return part.name === name ? PLACEHOLDER : part.raw
      })
      .join('')
      .split('\n'),
  )
  return new Set(lines.filter((line) => line.includes(PLACEHOLDER) && /[\p{L}\p{N}]/u.test(line)))
}

/** An unpaired surrogate, which is in no prompt, since a pull refuses it. */
const PLACEHOLDER = '\ud800'

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
