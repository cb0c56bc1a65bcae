/**
 * Formats an integer with thousands separators: `1,234`. For its first number, `toLocaleString` loads all
 * of ICU, which takes as long as a start of Node.
 */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Returns a number with its noun: `1 prompt`, `1,234 prompts`. */
export function pluralize(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Returns a list in words: `a`, `a and b`, `a, b, and c`. `Intl.ListFormat` loads ICU, which takes up to 27 ms. */
export function joinWords(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  const comma = words.length > 2 ? ',' : ''
  return [words.slice(0, -1).join(', '), words.at(-1) ?? '']
    .filter((text) => text !== '')
    .join(`${comma} ${last} `)
}

/** Returns the first items of a list, then the number of the others. */
export function truncateList(texts: readonly string[], limit: number): string[] {
  const hidden = texts.length - limit
  return hidden > 0 ? [...texts.slice(0, limit), `… and ${formatCount(hidden)} more`] : [...texts]
}

const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** Counts Unicode characters, not UTF-16 code units as `length` does. */
export function countCharacters(text: string): number {
  return text.length - (text.match(SURROGATE_PAIR)?.length ?? 0)
}
