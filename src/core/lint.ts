import type { PromptChange, PromptField } from './compare.ts'
import { type PinnedPrompt, type PromptText, textsOf } from './prompt.ts'
import { tokensIn } from './template.ts'

/** Double braces that aren't a variable: they stay text, and are reported at pull time. */
export interface Lint {
  /** Which text of the prompt the position is in. */
  readonly field: PromptText['field']
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 code units, as editors do. */
  readonly column: number
  /**
   * `empty`: nothing between the braces. `foreign`: something that is no variable name, such as
   * `{{#if x}}`. `unclosed`: no `}}` before the next `{{` or the end.
   */
  readonly kind: 'empty' | 'foreign' | 'unclosed'
  /** The braces as they are in the text, cut to 40 characters. */
  readonly excerpt: string
}

/** The lints of one prompt: all of them counted, the first of them in full. */
export interface PromptLints {
  readonly slug: string
  readonly count: number
  /** In the order of the text. */
  readonly first: readonly Lint[]
}

const EXCERPT_LENGTH = 40

/** How many lints of a prompt a pull lists. */
const LISTED = 10

const TEXTS: ReadonlySet<PromptField> = new Set(['system', 'user', 'source'])

/** The lints of prompts whose text is new or changed: what stays as it is was reported before. */
export function lintChanges(changes: readonly PromptChange[]): PromptLints[] {
  return changes
    .flatMap((change) => {
      const isNew =
        change.kind === 'added' ||
        (change.kind === 'updated' && change.fields.some((field) => TEXTS.has(field)))
      return isNew ? [lintPrompt(change.after, LISTED)] : []
    })
    .filter(({ count }) => count > 0)
}

/**
 * Finds the lints of a prompt's texts. Takes linear time, and memory for the listed ones only.
 *
 * @param most - how many to list
 */
export function lintPrompt(prompt: PinnedPrompt, most: number): PromptLints {
  const first: Lint[] = []
  let count = 0
  for (const { field, text } of textsOf(prompt)) {
    const position = positionsIn(text)
    for (const opener of strayOpeners(text)) {
      count++
      if (count <= most) first.push({ field, ...position(opener.start), ...describe(text, opener) })
    }
  }
  return { slug: prompt.slug, count, first }
}

function describe(text: string, { start, next, close }: Opener): Pick<Lint, 'kind' | 'excerpt'> {
  const closed = close !== -1 && (next === -1 || close < next)
  const inner = closed ? text.slice(start + 2, close) : ''
  const end = closed ? close + 2 : next === -1 ? text.length : next
  return {
    kind: !closed ? 'unclosed' : inner.trim() === '' ? 'empty' : 'foreign',
    excerpt: text.slice(start, Math.min(end, start + EXCERPT_LENGTH)),
  }
}

interface Opener {
  /** Index of the `{{`. */
  readonly start: number
  /** Index of the next `{{` after it, or -1. */
  readonly next: number
  /** Index of the next `}}` after it, or -1. */
  readonly close: number
}

/** Every `{{` that begins no token and is not inside of other braces. */
function* strayOpeners(text: string): Generator<Opener, void> {
  const nextClose = forwardSearch(text, '}}')
  const nextOpen = forwardSearch(text, '{{')
  const tokens = tokensIn(text)
  let token = tokens.next().value
  for (let start = nextOpen(0); start !== -1;) {
    if (token !== undefined && start + 2 > token.start) {
      start = nextOpen(token.end)
      token = tokens.next().value
    } else {
      const opener = { start, next: nextOpen(start + 2), close: nextClose(start + 2) }
      yield opener
      start = opener.next
    }
  }
}

/** `indexOf` for positions that only grow: what was found once is not searched again. */
function forwardSearch(text: string, needle: string): (from: number) => number {
  let found = text.indexOf(needle)
  return (from) => {
    if (found !== -1 && found < from) found = text.indexOf(needle, from)
    return found
  }
}

/** Line and column for positions that only grow. */
function positionsIn(text: string): (index: number) => { line: number; column: number } {
  const nextBreak = forwardSearch(text, '\n')
  let line = 1
  let lineStart = 0
  return (index) => {
    for (let at = nextBreak(lineStart); at !== -1 && at < index; at = nextBreak(lineStart)) {
      line++
      lineStart = at + 1
    }
    return { line, column: index - lineStart + 1 }
  }
}
