import { INVISIBLE_CHARACTERS } from '../../core/text/json-string.ts'
import { parseTemplate } from '../../core/template.ts'
import { makeVisible } from '../../core/text/sanitize.ts'

/** A piece of a text. */
export interface Piece {
  /** `hidden`: a character that is invisible or changes the text direction. */
  readonly kind: 'plain' | 'token' | 'note' | 'hidden'
  readonly text: string
}

/** What is marked in a text besides hidden characters. */
export type Marks = 'nothing' | 'tokens' | 'tokens and notes'

/** C0 and C1 controls except tab and line feed, unpaired surrogates, and {@link INVISIBLE_CHARACTERS}. */
const HIDDEN = new RegExp(
  `([\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${INVISIBLE_CHARACTERS}]|\\p{Cs})`,
  'u',
)

/** Double braces in a text without tokens, as far as a note quotes them. */
const NOTE = /(\{\{(?:(?!\{\{|\}\}).){0,38}(?:\}\})?)/

/** Splits a text into pieces that are displayed differently. Joined, the pieces are the text. */
export function annotate(text: string, marks: Marks): Piece[] {
  const parts = marks === 'nothing' ? [text] : parseTemplate(text)
  const marked = parts.flatMap((part): Piece[] => {
    if (typeof part !== 'string') return [{ kind: 'token', text: part.raw }]
    return marks === 'tokens and notes'
      ? cut({ kind: 'plain', text: part }, NOTE, 'note')
      : [{ kind: 'plain', text: part }]
  })
  return marked.flatMap((piece) => cut(piece, HIDDEN, 'hidden'))
}

/** Cuts out of a piece what the group of an expression matches. */
function cut({ kind, text }: Piece, match: RegExp, matched: Piece['kind']): Piece[] {
  // The matches are at the odd indexes.
  const pieces = text.split(match).map((part, index): Piece => {
    return { kind: index % 2 === 0 ? kind : matched, text: part }
  })
  return pieces.filter((piece) => piece.text !== '')
}

/** A hidden character: controls as escapes, because few fonts have glyphs, others by code point. */
export function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (character === '\r') return String.raw`\r`
  if (code >= 0x20 && code !== 0x7f) return makeVisible(character)
  return String.raw`\x` + code.toString(16).padStart(2, '0')
}
