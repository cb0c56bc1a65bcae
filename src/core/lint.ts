import type { PromptChange, PromptField } from './compare.ts'
import { type PinnedPrompt, type PromptText, promptTexts } from './prompt.ts'
import { findTokens } from './template.ts'

/** Double braces that aren't a variable. They stay text and are reported by a pull. */
export interface Lint {
  /** The text that the position is in. */
  readonly field: PromptText['field']
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 code units, as editors do. */
  readonly column: number
  /**
   * `empty`: nothing between the braces. `foreign`: not a variable name, such as
   * `{{#if x}}`. `unclosed`: no `}}` before the next `{{` or the end.
   */
  readonly kind: 'empty' | 'foreign' | 'unclosed'
  /** The text from the braces on, cut to 40 characters. */
  readonly excerpt: string
}

/** The lints of one prompt: their number, and the first ones in full. */
export interface PromptLints {
  readonly slug: string
  readonly count: number
  /** In the order of the text. */
  readonly first: readonly Lint[]
}

const EXCERPT_LENGTH = 40

/** The most lints of a prompt that a pull lists. */
const MAX_LISTED = 10

const TEXT_FIELDS: ReadonlySet<PromptField> = new Set(['system', 'user', 'source'])

/** Returns the lints of prompts whose text is new or changed. Unchanged text was reported before. */
export function lintChanges(changes: readonly PromptChange[]): PromptLints[] {
  return changes
    .flatMap((change) => {
      const isNew =
        change.kind === 'added' ||
        (change.kind === 'updated' && change.fields.some((field) => TEXT_FIELDS.has(field)))
      return isNew ? [lintPrompt(change.after, MAX_LISTED)] : []
    })
    .filter(({ count }) => count > 0)
}

/**
 * Finds the lints of a prompt's texts. Takes linear time, and memory for the listed ones only.
 *
 * @param limit - the most lints to list
 */
export function lintPrompt(prompt: PinnedPrompt, limit: number): PromptLints {
  const first: Lint[] = []
  let count = 0
  for (const { field, text } of promptTexts(prompt)) {
    const position = createPositionFinder(text)
    for (const opener of findNonTokens(text)) {
      count++
      if (count <= limit)
        first.push({ field, ...position(opener.start), ...describe(text, opener) })
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

/** Every `{{` that neither begins a token nor is inside other braces. */
function* findNonTokens(text: string): Generator<Opener, void> {
  const nextClose = createForwardSearch(text, '}}')
  const nextOpen = createForwardSearch(text, '{{')
  const tokens = findTokens(text)
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

/** Like `indexOf`, for positions that only grow: each part of the text is searched once. */
function createForwardSearch(text: string, needle: string): (from: number) => number {
  let found = text.indexOf(needle)
  return (from) => {
    if (found !== -1 && found < from) found = text.indexOf(needle, from)
    return found
  }
}

/** Line and column for positions that only grow. */
function createPositionFinder(text: string): (index: number) => { line: number; column: number } {
  const nextBreak = createForwardSearch(text, '\n')
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
