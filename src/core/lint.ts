import { type PinnedPrompt, type PromptText, textsOf } from './prompt.ts'
import { parseTemplate } from './template.ts'

/** Double braces that are no variable token: they stay text, and are reported at pull time. */
export interface Lint {
  readonly slug: string
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
  /** The braces as they stand in the text, cut to 40 characters. */
  readonly excerpt: string
}

const EXCERPT_LENGTH = 40

/** Every lint of a prompt's texts, in the order of the text. Linear in the length of the text. */
export function lintPrompt(prompt: PinnedPrompt): Lint[] {
  return textsOf(prompt).flatMap(({ field, text }) =>
    lintText(text).map((lint) => ({ slug: prompt.slug, field, ...lint })),
  )
}

function lintText(text: string): Omit<Lint, 'slug' | 'field'>[] {
  const position = positionsIn(text)
  return strayOpeners(text).map(({ start, next, close }) => {
    const closed = close !== -1 && (next === -1 || close < next)
    const inner = closed ? text.slice(start + 2, close) : ''
    const end = closed
      ? close + 2
      : Math.min(start + EXCERPT_LENGTH, next === -1 ? text.length : next)
    return {
      ...position(start),
      kind: !closed ? 'unclosed' : inner.trim() === '' ? 'empty' : 'foreign',
      excerpt: text.slice(start, Math.min(end, start + EXCERPT_LENGTH)),
    }
  })
}

interface Opener {
  /** Index of the `{{`. */
  readonly start: number
  /** Index of the next `{{` behind it, or -1. */
  readonly next: number
  /** Index of the next `}}` behind it, or -1. */
  readonly close: number
}

/** Every `{{` that begins no token and stands in no other braces. */
function strayOpeners(text: string): Opener[] {
  const openers: Opener[] = []
  const nextClose = forwardSearch(text, '}}')
  const nextOpen = forwardSearch(text, '{{')
  let offset = 0
  for (const part of parseTemplate(text)) {
    const end = offset + (typeof part === 'string' ? part : part.raw).length
    if (typeof part === 'string') {
      for (let start = nextOpen(offset); start !== -1 && start + 2 <= end;) {
        const opener = { start, next: nextOpen(start + 2), close: nextClose(start + 2) }
        openers.push(opener)
        start = opener.next
      }
    }
    offset = end
  }
  return openers
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
