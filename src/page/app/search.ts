import { distance } from 'fastest-levenshtein'
import type { Entry } from './entries.ts'
import { parseQuery } from './query.ts'
import type { TextSearch } from './use-text-search.ts'

/**
 * The entries that match a search. With words in it, the best come first: matches in the slug, then
 * in variables, then in model, folder and version, then in texts. If nothing has the words, slugs
 * that are similar to them match.
 */
export function searchEntries(
  entries: readonly Entry[],
  query: string,
  texts: Pick<TextSearch, 'has' | 'isPending'>,
): readonly Entry[] {
  const { words, conditions } = parseQuery(query)
  const candidates = entries.filter((entry) => conditions.every((holds) => holds(entry)))
  if (words.length === 0) return candidates
  const exact = ranked(candidates, words, rankIn(texts))
  const isKnown = exact.length > 0 || texts.isPending
  return isKnown ? exact : ranked(candidates, words, similarity)
}

/** Whether a search orders its results by how well they match. */
export function isRanked(query: string): boolean {
  return parseQuery(query).words.length > 0
}

/** How well an entry matches a word: smaller is better, infinite is no match. */
type Rank = (entry: Entry, word: string) => number

function ranked(entries: readonly Entry[], words: readonly string[], rank: Rank): Entry[] {
  return entries
    .map((entry) => ({ entry, sum: words.reduce((sum, word) => sum + rank(entry, word), 0) }))
    .filter(({ sum }) => Number.isFinite(sum))
    .toSorted((one, other) => one.sum - other.sum)
    .map(({ entry }) => entry)
}

const rankIn =
  (texts: Pick<TextSearch, 'has'>): Rank =>
  ({ prompt }, word) => {
    const slug = prompt.slug.toLowerCase()
    // Most slugs don't, and splitting thousands of them takes long.
    if (slug.includes(word)) return rankInSlug(slug, word)
    const has = (text: string): boolean => text.toLowerCase().includes(word)
    if (prompt.variables.some(has)) return 4
    if ([prompt.model, prompt.folder, prompt.version].some(has)) return 5
    return texts.has(prompt.slug, word) ? 6 : Number.POSITIVE_INFINITY
  }

/** How well a slug that contains a word matches it. */
function rankInSlug(slug: string, word: string): number {
  if (slug === word) return 0
  if (slug.startsWith(word)) return 1
  return wordsOf(slug).some((part) => part.startsWith(word)) ? 2 : 3
}

/** Below this length, too many words are similar to each other. */
const SHORTEST = 4

/** Letters left out, as in `suptri`, or a typing error, as in `tirage`. */
const similarity: Rank = ({ prompt }, word) => {
  if (word.length < SHORTEST) return Number.POSITIVE_INFINITY
  const slug = prompt.slug.toLowerCase()
  if (isSubsequence(word, slug)) return slug.length - word.length
  const errors = word.length < 6 ? 1 : 2
  const nearest = Math.min(
    ...wordsOf(slug).map((part) => distance(word, part.slice(0, word.length))),
  )
  return nearest <= errors ? nearest : Number.POSITIVE_INFINITY
}

function wordsOf(slug: string): string[] {
  return slug.split(/[^\p{L}\p{N}]+/u)
}

function isSubsequence(letters: string, text: string): boolean {
  let at = -1
  return [...letters].every((letter) => (at = text.indexOf(letter, at + 1)) !== -1)
}
