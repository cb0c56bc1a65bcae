import type { Place } from './impact.ts'
import { sanitize } from './text/sanitize.ts'

type Line = NonNullable<Place['code']>

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
export function cutLine({ text, start, length }: Line, max: number): Line {
  if (text.length <= max) return { text, start, length }
  const room = max - '……'.length
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
