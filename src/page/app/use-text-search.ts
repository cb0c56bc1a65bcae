import { useMemo } from 'preact/hooks'
import { read } from './api.ts'
import { useAnswer } from './use-answer.ts'

/** What is known about the words of a search in the texts of prompts. */
export interface TextSearch {
  has(slug: string, word: string): boolean
  /** The text around a match; `undefined` if it is not known. */
  excerpt(slug: string, word: string): string | undefined
  /** Whether the answer for a word is missing. */
  readonly isPending: boolean
}

/** Slugs with their excerpts. */
type Matches = ReadonlyMap<string, string | undefined>

/**
 * Asks the server for the words of a search: the texts of thousands of prompts are too large for the
 * page.
 *
 * @param words - in lower case
 * @param revision - of the lock
 */
export function useTextSearch(words: readonly string[], revision: string): TextSearch {
  const keyOf = (word: string): string => JSON.stringify([revision, word])
  const search = words.map(keyOf).join()
  // Only the words of this search are kept.
  const known: ReadonlyMap<string, Matches> | undefined = useAnswer(async () => {
    const matches = words.map(
      async (word) => [keyOf(word), known?.get(keyOf(word)) ?? (await matchesOf(word))] as const,
    )
    return new Map(await Promise.all(matches))
  }, [search])
  return useMemo(() => {
    const matches = (word: string): Matches | undefined => known?.get(keyOf(word))
    return {
      has: (slug, word) => matches(word)?.has(slug) ?? false,
      excerpt: (slug, word) => matches(word)?.get(slug),
      isPending: words.some((word) => matches(word) === undefined),
    }
  }, [search, known])
}

/** Without a server nothing is found, and the page reports that it is gone. */
async function matchesOf(word: string): Promise<Matches> {
  try {
    const { slugs, excerpts } = await read('search', { word })
    return new Map(slugs.map((slug, index) => [slug, excerpts[index]]))
  } catch {
    return new Map()
  }
}
