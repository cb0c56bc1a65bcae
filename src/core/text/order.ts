/**
 * Compares two strings by code point, independent of machine and locale.
 *
 * JavaScript's `<` compares UTF-16 code units, which puts astral characters before U+E000 to
 * U+FFFF. An offset for the units from U+D800 up fixes that without decoding.
 */
export function compareCodePoints(a: string, b: string): number {
  // Up to their first difference they are equal, so the other one may have such units.
  if (!HIGH.test(a)) return Number(a > b) - Number(a < b)
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

const HIGH = /[\ud800-\uffff]/

function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit >= 0xe000 ? unit - 0x0800 : unit + 0x2000
}

/** Returns a copy of `entries`, sorted by code point of the slug. */
export function sortBySlug<T extends { readonly slug: string }>(entries: Iterable<T>): T[] {
  return [...entries].toSorted((a, b) => compareCodePoints(a.slug, b.slug))
}

export function indexBySlug<T extends { readonly slug: string }>(
  entries: Iterable<T> = [],
): Map<string, T> {
  return new Map([...entries].map((entry) => [entry.slug, entry]))
}

export function groupBySlug<T extends { readonly slug: string }>(
  entries: Iterable<T>,
): Map<string, T[]> {
  return groupBy(entries, ({ slug }) => slug)
}

export function groupBy<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** Returns the texts that a list has more than once, each once. */
export function findDuplicates(texts: readonly string[]): string[] {
  const seen = new Set<string>()
  return [...new Set(texts.filter((text) => seen.has(text) || !seen.add(text)))]
}
