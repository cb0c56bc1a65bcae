import type { PinnedPrompt } from '../../core/prompt.ts'
import type { TextMatches } from '../protocol.ts'

/** The number of matches with an excerpt. A list shows fewer at once. */
const EXCERPTS = 200

/** Characters before and after a match. */
const BEFORE = 18
const AFTER = 36

/** Creates a search for words in texts. The first search prepares the texts. */
export function createTextSearch(prompts: readonly PinnedPrompt[]): (word: string) => TextMatches {
  let texts: readonly SearchedText[] | undefined
  return (word) => {
    const wanted = word.toLowerCase()
    if (wanted === '') return { slugs: [], excerpts: [] }
    texts ??= prompts.map(searchedText)
    const found = texts.filter(({ lowerCase }) => lowerCase.includes(wanted))
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

function searchedText({ slug, system, user }: PinnedPrompt): SearchedText {
  const text = `${system}\n${user}`
  return { slug, text, lowerCase: text.toLowerCase() }
}

/** A few letters have another length in lower case, so the excerpt may start a little early or late. */
function excerptOf({ text, lowerCase }: SearchedText, word: string): string {
  const at = lowerCase.indexOf(word)
  const excerpt = text.slice(Math.max(0, at - BEFORE), at + word.length + AFTER)
  return `…${excerpt.replaceAll(/\s+/g, ' ').trim()}…`
}
