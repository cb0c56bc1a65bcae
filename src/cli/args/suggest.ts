import { distance } from 'fastest-levenshtein'

/** How many candidates are offered at most. */
const MAX_SUGGESTIONS = 3

/**
 * Which known names a mistyped one may have meant: the nearest first, those with more than a third
 * of their letters wrong left out.
 */
function similarTo(word: string, known: readonly string[]): string[] {
  return known
    .map((name) => ({ name, far: distanceOf(word, name) }))
    .filter(
      ({ name, far }) => far <= Math.max(1, Math.floor(Math.max(name.length, word.length) / 3)),
    )
    .toSorted((a, b) => a.far - b.far)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name)
}

/** A word that begins the name counts as near, however short: `gen` for `generate`. */
function distanceOf(word: string, name: string): number {
  return word.length >= 3 && name.startsWith(word)
    ? 1
    : distance(word.toLowerCase(), name.toLowerCase())
}

/** ` Did you mean --dry-run?`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const [first] = similarTo(word, known)
  return first === undefined ? '' : ` Did you mean ${first}?`
}
