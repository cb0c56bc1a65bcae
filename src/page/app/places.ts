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
export interface Heading extends TextPlace {
  /** From 1 for `#` to 6. */
  readonly level: number
  readonly text: string
}

/** The texts of a prompt that the page shows with their line numbers. */
type Texts = Pick<PinnedPrompt, 'system' | 'user'>

const FIELDS = ['system', 'user'] as const

/** The headings of the texts of a prompt that are not inside of lists or quotes. */
export function outlineOf(texts: Texts): Heading[] {
  return FIELDS.flatMap((field) => {
    let line = 1
    return readMarkdown(texts[field]).flatMap((token): Heading[] => {
      const start = line
      line += linesIn(token.raw)
      if (token.type !== 'heading') return []
      return [{ field, line: start, level: Number(token['depth']), text: String(token['text']) }]
    })
  })
}

/** The places of each variable of a prompt, by name, in the order of the texts. */
export function variablePlaces(texts: Texts): Map<string, TextPlace[]> {
  const places = new Map<string, TextPlace[]>()
  for (const field of FIELDS) {
    let line = 1
    for (const part of parseTemplate(texts[field])) {
      if (typeof part === 'string') line += linesIn(part)
      else places.set(part.name, [...(places.get(part.name) ?? []), { field, line }])
    }
  }
  return places
}

function linesIn(text: string): number {
  return text.split('\n').length - 1
}
