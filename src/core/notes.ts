import { changedFields, type PromptChange } from './compare.ts'
import { type PinnedPrompt, type PromptText, promptTexts } from './prompt.ts'
import { parseTemplate, textVariables } from './template.ts'
import { toOrdinarySpaces } from './text/sanitize.ts'

export const NOTE_MEANING = "Double braces that aren't variables"

/** What the braces of each kind of note are, as the rest of a sentence. */
export const NOTE_REASONS = {
  empty: 'is empty; it stays as text',
  foreign: 'is not a variable; it stays as text',
  unclosed: 'is never closed; it stays as text',
  spaces: 'has special spaces, so it is not a variable',
  letters: 'has decomposed letters (not NFC), so it is not a variable',
} as const

/** Double braces that aren't a variable. They stay text and are reported by a pull. */
export interface Note {
  /** The text that the position is in. */
  readonly field: PromptText['field']
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 code units, as editors do. */
  readonly column: number
  /**
   * `empty`: nothing between the braces. `foreign`: not a variable name, such as
   * `{{#if x}}`. `unclosed`: no `}}` before the next `{{` or the end. `spaces`: it would be a variable with
   * ordinary spaces. `letters`: it would be one in Unicode's composed form.
   */
  readonly kind: keyof typeof NOTE_REASONS
  /** The text from the braces on, cut to 40 characters. */
  readonly excerpt: string
}

/** The notes of one prompt: their number, and the first ones in full. */
export interface PromptNotes {
  readonly slug: string
  readonly count: number
  /** In the order of the text. */
  readonly first: readonly Note[]
}

const EXCERPT_LENGTH = 40

/** The most notes of a prompt that a pull lists. */
const MAX_LISTED = 10

/** Returns the notes of prompts whose text is new or changed. Unchanged text was reported before. */
export function findNewNotes(changes: readonly PromptChange[]): PromptNotes[] {
  return changes
    .filter((change) => changedFields(change).length > 0)
    .flatMap(({ environment, after }) => (after?.environment === environment ? after : []))
    .map((prompt) => findNotes(prompt, MAX_LISTED))
    .filter(({ count }) => count > 0)
}

/**
 * Finds the notes of a prompt's texts in linear time.
 *
 * @param limit - the most notes to list
 * @param mask - masks secrets in what an excerpt is cut from. Default: the texts have none
 */
export function findNotes(
  prompt: PinnedPrompt,
  limit: number,
  mask: (text: string) => string = String,
): PromptNotes {
  const first: Note[] = []
  let count = 0
  for (const { field, text } of promptTexts(prompt)) {
    const position = createPositionFinder(text)
    for (const { start, rest } of findNonTokens(text)) {
      if (++count <= limit) first.push({ field, ...position(start), ...describe(mask(rest)) })
    }
  }
  return { slug: prompt.slug, count, first }
}

function describe(rest: string): Pick<Note, 'kind' | 'excerpt'> {
  const close = rest.indexOf('}}')
  const excerptOf = (text: string): string => `{{${text}`.slice(0, EXCERPT_LENGTH)
  if (close === -1) return { kind: 'unclosed', excerpt: excerptOf(rest) }
  return { kind: kindOf(rest.slice(0, close)), excerpt: excerptOf(rest.slice(0, close + 2)) }
}

/** What text between double braces is that is not a variable. */
function kindOf(inside: string): Note['kind'] {
  if (inside.trim() === '') return 'empty'
  const spaced = `{{${toOrdinarySpaces(inside)}}}`
  if (isToken(spaced)) return 'spaces'
  return isToken(spaced.normalize()) ? 'letters' : 'foreign'
}

function isToken(text: string): boolean {
  return parseTemplate(text).length === 1 && textVariables([text]).length === 1
}

/** Yields the index of every `{{` that begins no token, and the text up to the next one or the end. */
function* findNonTokens(text: string) {
  let offset = 0
  for (const part of parseTemplate(text)) {
    if (typeof part !== 'string') {
      offset += part.raw.length
      continue
    }
    for (let at = part.indexOf('{{'); at !== -1;) {
      const next = part.indexOf('{{', at + 2)
      yield { start: offset + at, rest: part.slice(at + 2, next === -1 ? undefined : next) }
      at = next
    }
    offset += part.length
  }
}

/** Creates a function that returns line and column. Its index may only grow, so it is linear. */
function createPositionFinder(text: string): (index: number) => { line: number; column: number } {
  let [start, line, column] = [0, 1, 1]
  return (index) => {
    const [head = '', ...lines] = text.slice(start, index).split('\n')
    line += lines.length
    column = (lines.at(-1)?.length ?? column - 1 + head.length) + 1
    start = index
    return { line, column }
  }
}
