import { distance } from 'fastest-levenshtein'
import type { Entry } from './entries.ts'

/**
 * The entries that have every word of a search, the best first: in the slug, then in folder, model and
 * version, then in the texts. If none has, those with a slug that is similar.
 */
export function searchEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  const exact = ranked(entries, words, rankOf)
  return exact.length > 0 ? exact : ranked(entries, words, similarity)
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

const rankOf: Rank = ({ prompt }, word) => {
  const slug = prompt.slug.toLowerCase()
  if (slug.includes(word)) {
    if (slug.startsWith(word)) return slug === word ? 0 : 1
    return wordsOf(slug).some((part) => part.startsWith(word)) ? 2 : 3
  }
  const has = (text: string): boolean => text.toLowerCase().includes(word)
  if ([prompt.folder, prompt.model, prompt.version].some(has)) return 5
  return has(prompt.system) || has(prompt.user) ? 6 : Number.POSITIVE_INFINITY
}

/** Below this length, too many words are similar to each other. */
const SHORTEST = 4

/** A typing error, as in `tirage`. */
const similarity: Rank = ({ prompt }, word) => {
  if (word.length < SHORTEST) return Number.POSITIVE_INFINITY
  const errors = word.length < 6 ? 1 : 2
  const parts = wordsOf(prompt.slug.toLowerCase())
  const nearest = Math.min(...parts.map((part) => distance(word, part.slice(0, word.length))))
  return nearest <= errors ? nearest : Number.POSITIVE_INFINITY
}

function wordsOf(slug: string): string[] {
  return slug.split(/[^\p{L}\p{N}]+/u)
}
