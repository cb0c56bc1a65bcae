import type { PinnedPrompt } from '../../core/prompt.ts'
import { parseTemplate } from '../../core/template.ts'

/** The texts of a prompt that have line numbers. */
export type TextField = 'system' | 'user' | 'source'

/** A line of a text of a prompt. */
export interface TextPlace {
  readonly field: TextField
  /** Counted from 1. */
  readonly line: number
}

/** The texts of a prompt that the page shows with their line numbers. */
type Texts = Pick<PinnedPrompt, 'system' | 'user'>

const FIELDS = ['system', 'user'] as const

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
