import type { Place } from './impact.ts'
import { sanitize } from './text/sanitize.ts'

/**
 * The line of code at a place with the expression marked below, as compilers show it; nothing without a
 * line.
 */
export function codeFrame({ line, code }: Pick<Place, 'line' | 'code'>): string[] {
  if (code === undefined) return []
  const { text, start, length } = code
  const number = String(line)
  const marker = ' '.repeat(start) + '~'.repeat(length)
  return [
    `${number} │ ${sanitize(text.replaceAll('\t', ' '))}`,
    `${' '.repeat(number.length)} │ ${marker}`,
  ]
}
