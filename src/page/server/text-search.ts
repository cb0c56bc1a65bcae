import { setImmediate } from 'node:timers/promises'
import type { PinnedPrompt } from '../../core/prompt.ts'
import type { TextMatches } from '../protocol.ts'

/** The number of matches with an excerpt. A list shows fewer at once. */
const EXCERPTS = 200

/** Characters before and after a match. */
const BEFORE = 18
const AFTER = 36

/** The number of texts that are prepared before other requests get their turn: a few milliseconds. */
const CHUNK = 500

/** Creates a search for words in texts. An empty word prepares the texts, and finds nothing. */
export function createTextSearch(
  prompts: readonly PinnedPrompt[],
): (word: string) => Promise<TextMatches> {
  let texts: Promise<readonly SearchedText[]> | undefined
  return async (word) => {
    const wanted = word.toLowerCase()
    const searched = await (texts ??= prepareTexts(prompts))
    if (wanted === '') return { slugs: [], excerpts: [] }
    const found = searched.filter(({ lowerCase }) => lowerCase.includes(wanted))
    return {
      slugs: found.map(({ slug }) => slug),
      excerpts: found.slice(0, EXCERPTS).map((text) => excerptOf(text, wanted)),
    }
  }
}

interface SearchedText {
  readonly slug: string
  readonly text: string
  readonly lowerCase: string
}

async function prepareTexts(prompts: readonly PinnedPrompt[]): Promise<readonly SearchedText[]> {
  const texts: SearchedText[] = []
  for (const { slug, system, user } of prompts) {
    const text = `${system}\n${user}`
    texts.push({ slug, text, lowerCase: text.toLowerCase() })
    if (texts.length % CHUNK === 0) await setImmediate()
  }
  return texts
}

/** A few letters have another length in lower case, so the excerpt may start a little early or late. */
function excerptOf({ text, lowerCase }: SearchedText, word: string): string {
  const at = lowerCase.indexOf(word)
  const excerpt = text.slice(Math.max(0, at - BEFORE), at + word.length + AFTER)
  return `…${excerpt.replaceAll(/\s+/g, ' ').trim()}…`
}
