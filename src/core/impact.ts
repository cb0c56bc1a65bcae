import type { Environment } from './prompt.ts'
import { truncateList } from './text/pluralize.ts'
import { sanitize } from './text/sanitize.ts'

/** A position in the app. */
export interface Place {
  /** Relative to the app's folder, with forward slashes. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 code units. */
  readonly column: number
  /** The line as it is on disk; absent where no line is shown, or if the file can't be read. */
  readonly code?: CodeLine
}

/** A line of code with a marked expression. */
export interface CodeLine {
  /** Without indentation; a long line is cut around the expression. */
  readonly text: string
  /** Where the expression begins in it, in UTF-16 code units. */
  readonly start: number
  readonly length: number
}

/**
 * The line of code at a place with the expression marked below, as compilers show it; nothing without a
 * line.
 *
 * @param columns - of the screen. Default: the line is not cut further
 */
export function codeFrame(
  { line, code }: Pick<Place, 'line' | 'code'>,
  columns: number = Number.POSITIVE_INFINITY,
): string[] {
  if (code === undefined) return []
  const number = String(line)
  const { text, start, length } = cutLine(code, columns - number.length - ' │ '.length)
  const marker = ' '.repeat(start) + '~'.repeat(length)
  return [
    `${number} │ ${sanitize(text.replaceAll('\t', ' '))}`,
    `${' '.repeat(number.length)} │ ${marker}`,
  ]
}

/** A line of at most so many characters: a longer one is cut around its expression, with `…` at each cut end. */
export function cutLine({ text, start, length }: CodeLine, max: number): CodeLine {
  if (text.length <= max) return { text, start, length }
  // A screen may be narrower than that.
  const room = Math.max(1, max - '……'.length)
  // As much code before the expression as after its beginning; at the end of the line, more before it.
  const from = Math.max(0, Math.min(start - Math.floor(room / 2), text.length - room))
  const to = from + room
  const [left, right] = [from > 0 ? '…' : '', to < text.length ? '…' : '']
  return {
    text: left + text.slice(from, to) + right,
    start: start - from + left.length,
    length: Math.min(length, to - start),
  }
}

/** The code that uses prompts: one by its slug, or all of them at once. */
interface Uses {
  readonly sites: readonly { readonly slug: string }[]
  readonly escapes: readonly unknown[]
}

/** Returns whether code uses a prompt, or may: code that passes on all prompts may use any. */
export function usedBy({ sites, escapes }: Uses): (prompt: { readonly slug: string }) => boolean {
  const used = new Set(sites.map(({ slug }) => slug))
  return ({ slug }) => escapes.length > 0 || used.has(slug)
}

/** What a pull says about its check of the app. */
export const IMPACT_TEXTS = {
  started: 'Checking what the update breaks',
  failed: (reason: string): string => `The app was not checked for breaking changes: ${reason}`,
  unused: 'No code uses prompts.',
  ignored: (files: readonly string[]): string =>
    `Only files that git ignores stop compiling: ${truncateList(files, 3).map(sanitize).join(', ')}`,
} as const

/**
 * `compile`: TypeScript sees the code with its types, as the app's own compiler does if it checks this file.
 * `not-checked`: it names prompts, and TypeScript does not see it with types, such as markup.
 */
export type Certainty = 'compile' | 'not-checked'

/** A line of the app that stops compiling with the new prompts, or that names them and is not checked. */
export interface ImpactFinding extends Place {
  /** The prompt that causes it; `null` if it is unknown. */
  readonly slug: string | null
  /** Which part of it; `null` if both change and it is unknown which one causes it. */
  readonly environment: Environment | null
  /** One line, such as: `render` needs `tone`, added in v23. May contain remote text. */
  readonly reason: string
  readonly kind: Certainty
  /** TypeScript's message with all its lines, or the reason; may contain remote text. */
  readonly message: string
}
