/** A count as people read it: `1,234`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

/** A number with its noun: `1 prompt`, `1,234 prompts`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** The first of many texts, then how many more there are. */
export function firstOf(texts: readonly string[], most: number): string[] {
  const hidden = texts.length - most
  return hidden > 0 ? [...texts.slice(0, most), `… and ${formatCount(hidden)} more`] : [...texts]
}
