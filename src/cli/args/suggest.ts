import { distance } from 'fastest-levenshtein'

/** Maximum number of suggestions. */
const MAX_SUGGESTIONS = 3

/**
 * The known names similar to a mistyped one, the most similar first. At most a third of the letters
 * may differ.
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

/** A prefix of the name counts as similar: `gen` for `generate`. */
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
