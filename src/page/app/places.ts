import type { PinnedPrompt } from '../../core/prompt.ts'
import { parseTemplate } from '../../core/template.ts'
import { readMarkdown } from './markdown.ts'

/** The texts of a prompt that have line numbers. */
export type TextField = 'system' | 'user' | 'source'

/** A line of a text of a prompt. */
export interface TextPlace {
  readonly field: TextField
  /** Counted from 1. */
  readonly line: number
}

/** A heading of a text in Markdown. */
interface Heading {
  /** Counted from 1. */
  readonly line: number
  /** From 1 for `#` to 6. */
  readonly level: number
  readonly text: string
}

/** A heading with the text that it is in. */
export type PlacedHeading = Heading & TextPlace

/** The texts of a prompt that the page shows with their line numbers. */
type Texts = Pick<PinnedPrompt, 'system' | 'user'>

const FIELDS = ['system', 'user'] as const

/** The headings of the texts of a prompt that are not inside of lists or quotes. */
export function outlineOf(texts: Texts): PlacedHeading[] {
  return FIELDS.flatMap((field) =>
    headingsOf(texts[field]).map((heading) => ({ field, ...heading })),
  )
}

/** The places of each variable of a prompt, by name, in the order of the texts. */
export function variablePlaces(texts: Texts): Map<string, TextPlace[]> {
  const places = new Map<string, TextPlace[]>()
  for (const field of FIELDS) {
    for (const { name, line } of variablesIn(texts[field])) {
      places.set(name, [...(places.get(name) ?? []), { field, line }])
    }
  }
  return places
}

function headingsOf(text: string): Heading[] {
  let line = 1
  return readMarkdown(text).flatMap((token): Heading[] => {
    const start = line
    line += linesIn(token.raw)
    if (token.type !== 'heading') return []
    return [{ line: start, level: Number(token['depth']), text: String(token['text']) }]
  })
}

function variablesIn(text: string): { readonly name: string; readonly line: number }[] {
  let line = 1
  return parseTemplate(text).flatMap((part) => {
    if (typeof part !== 'string') return [{ name: part.name, line }]
    line += linesIn(part)
    return []
  })
}

function linesIn(text: string): number {
  return text.split('\n').length - 1
}
