const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** Counts Unicode characters, not UTF-16 code units as `length` does. */
export function countCharacters(text: string): number {
  return text.length - (text.match(SURROGATE_PAIR)?.length ?? 0)
}
