import type { Note } from '../../core/notes.ts'
import { INVISIBLE_CHARACTERS } from '../../core/text/json-string.ts'
import { parseTemplate } from '../../core/template.ts'
import { makeVisible } from '../../core/text/sanitize.ts'

/** A piece of a text, as displayed. */
export type Piece =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'token'; readonly text: string; readonly name: string }
  /** A character that is invisible or changes the text direction. */
  | { readonly kind: 'hidden'; readonly text: string; readonly shown: string }

/** C0 and C1 controls except tab and line feed, unpaired surrogates, and {@link INVISIBLE_CHARACTERS}. */
const HIDDEN = new RegExp(
  `([\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${INVISIBLE_CHARACTERS}]|\\p{Cs})`,
  'u',
)

/** Splits a text into pieces that are displayed differently. Joined, the pieces are the text. */
export function annotate(text: string, notes: readonly Stretch[] = []): Piece[] {
  let offset = 0
  return parseTemplate(text).flatMap((part): Piece[] => {
    const raw = typeof part === 'string' ? part : part.raw
    const start = offset
    offset += raw.length
    if (typeof part !== 'string') return [{ kind: 'token', text: raw, name: part.name }]
    return cutAtNotes(raw, start, notes)
  })
}

/** A range of a line, in UTF-16 code units. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

function cutAtNotes(text: string, offset: number, notes: readonly Stretch[]): Piece[] {
  const pieces: Piece[] = []
  let done = 0
  for (const { start, end } of notes) {
    const [from, to] = [Math.max(start - offset, done), Math.min(end - offset, text.length)]
    if (from >= to) continue
    pieces.push(...cutAtHidden(text.slice(done, from), 'plain'))
    pieces.push(...cutAtHidden(text.slice(from, to), 'note'))
    done = to
  }
  return [...pieces, ...cutAtHidden(text.slice(done), 'plain')]
}

function cutAtHidden(text: string, kind: 'plain' | 'note'): Piece[] {
  // What the group of the expression matches is at the odd indexes.
  const pieces = text.split(HIDDEN).map((part, index): Piece => {
    return index % 2 === 0
      ? { kind, text: part }
      : { kind: 'hidden', text: part, shown: nameOf(part) }
  })
  return pieces.filter((piece) => piece.text !== '')
}

/** Controls as escapes, because few fonts have glyphs for them; all others by code point. */
function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (character === '\r') return String.raw`\r`
  if (code >= 0x20 && code !== 0x7f) return makeVisible(character)
  return String.raw`\x` + code.toString(16).padStart(2, '0')
}

/** One line of a text with its notes marked. */
export interface AnnotatedLine {
  /** Counted from 1. */
  readonly number: number
  readonly pieces: readonly Piece[]
}

/** Splits a text into lines, and each line into pieces. */
export function annotateLines(text: string, notes: readonly Note[]): AnnotatedLine[] {
  const stretches = new Map<number, Stretch[]>()
  for (const { line, column, excerpt } of notes) {
    const start = column - 1
    const { length } = excerpt.split('\n', 1)[0] ?? ''
    stretches.set(line, [...(stretches.get(line) ?? []), { start, end: start + length }])
  }
  return text.split('\n').map((line, index) => {
    const number = index + 1
    return { number, pieces: annotate(line, stretches.get(number)) }
  })
}
