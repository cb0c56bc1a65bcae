/** A variable token as it stands in the text. */
export interface Token {
  /** The token to the letter, such as `{{ ticket }}`. */
  readonly raw: string
  /** The variable's name, such as `ticket`. */
  readonly name: string
}

/** A text cut at its tokens, in order: strings are literal text, never empty. */
export type TemplatePart = string | Token

/**
 * Cuts a text at its variable tokens (DESIGN section 4), in one pass from left to right. Linear on
 * any input: what is looked at behind an opener holds no other opener.
 */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let end = 0
  for (let start = text.indexOf('{{'); start !== -1;) {
    const token = tokenAt(text, start)
    if (token !== undefined) {
      if (start > end) parts.push(text.slice(end, start))
      parts.push(token)
      end = start + token.raw.length
    }
    start = text.indexOf('{{', token === undefined ? start + 1 : end)
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** The token whose braces open at an index; `undefined` where it is none. */
function tokenAt(text: string, start: number): Token | undefined {
  const nameStart = skipBlanks(text, start + 2)
  const nameEnd = skipName(text, nameStart)
  const end = skipBlanks(text, nameEnd)
  if (nameEnd === nameStart || !text.startsWith('}}', end)) return undefined
  return { raw: text.slice(start, end + 2), name: text.slice(nameStart, nameEnd) }
}

function skipBlanks(text: string, start: number): number {
  let index = start
  while (text[index] === ' ' || text[index] === '\t') index++
  return index
}

const FIRST = /[\p{L}_]/u

/** Where a name ends; `start` where none begins. */
function skipName(text: string, start: number): number {
  let end = start
  if (!FIRST.test(String.fromCodePoint(text.codePointAt(start) ?? 0))) return end
  // In pieces: an expression keeps a way back on its stack for each character, and a name of some
  // million overflows that.
  const piece = /[\p{L}\p{Nd}_.-]{1,1000}/uy
  for (piece.lastIndex = start; piece.test(text);) end = piece.lastIndex
  return end
}

/** The names of all variables in the given texts, each once, by first appearance. */
export function variablesOf(texts: readonly string[]): string[] {
  const names = new Set<string>()
  for (const text of texts) {
    for (const part of parseTemplate(text)) if (typeof part !== 'string') names.add(part.name)
  }
  return [...names]
}
