import { useEffect, useMemo, useState } from 'preact/hooks'
import type { TextMatches } from '../protocol.ts'
import { searchTexts } from './api.ts'

/** What is known about the words of a search in the texts of prompts. */
export interface TextSearch {
  has(slug: string, word: string): boolean
  /** The text around a match; `undefined` if it is not known. */
  excerpt(slug: string, word: string): string | undefined
  /** Whether the answer for a word is missing. */
  readonly isPending: boolean
}

/**
 * Asks the server for the words of a search: the texts of thousands of prompts are too large for the
 * page.
 *
 * @param words - in lower case
 * @param revision - of the lock
 */
export function useTextSearch(words: readonly string[], revision: string): TextSearch {
  const [known, setKnown] = useState<ReadonlyMap<string, Matches>>(new Map())
  const wanted = words.map((word) => ({ word, key: JSON.stringify([revision, word]) }))
  useEffect(() => {
    let isCurrent = true
    const read = async (): Promise<void> => {
      const entries = await Promise.all(
        wanted.map(
          async ({ word, key }) => [key, known.get(key) ?? (await searchSafely(word))] as const,
        ),
      )
      // Only the words of this search are kept.
      if (isCurrent) setKnown(new Map(entries))
    }
    void read()
    return () => void (isCurrent = false)
  }, [JSON.stringify(wanted)])
  return useMemo(() => textSearchOf(wanted, known), [JSON.stringify(wanted), known])
}

/** Slugs with their excerpts. */
type Matches = ReadonlyMap<string, string | undefined>

/** Without a server nothing is found, and the page reports that it is gone. */
async function searchSafely(word: string): Promise<Matches> {
  return search(word).catch(() => new Map())
}

async function search(word: string): Promise<Matches> {
  const { slugs, excerpts }: TextMatches = await searchTexts(word)
  return new Map(slugs.map((slug, index) => [slug, excerpts[index]]))
}

function textSearchOf(
  wanted: readonly { readonly word: string; readonly key: string }[],
  known: ReadonlyMap<string, Matches>,
): TextSearch {
  const byWord = new Map(wanted.map(({ word, key }) => [word, known.get(key)]))
  return {
    has: (slug, word) => byWord.get(word)?.has(slug) ?? false,
    excerpt: (slug, word) => byWord.get(word)?.get(slug),
    isPending: wanted.some(({ key }) => !known.has(key)),
  }
}
