/** A count as people read it: `1,234`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

/** A number with its noun: `1 prompt`, `1,234 prompts`. */
export function pluralize(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** The first of many texts, then how many more there are. */
export function truncateList(texts: readonly string[], limit: number): string[] {
  const hidden = texts.length - limit
  return hidden > 0 ? [...texts.slice(0, limit), `… and ${formatCount(hidden)} more`] : [...texts]
}
