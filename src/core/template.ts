/** A variable token as it stands in the text. */
export interface Token {
  /** The token to the letter, such as `{{ ticket }}`. */
  readonly raw: string
  /** The variable's name, such as `ticket`. */
  readonly name: string
}

/** A text cut at its tokens, in order: strings are literal text, never empty. */
export type TemplatePart = string | Token

/** A token and where it is in its text. */
interface LocatedToken extends Token {
  readonly start: number
  readonly end: number
}

/**
 * Every variable token of a text, from left to right. Linear on any input, since the text after an
 * opener is read up to the next opener at most; nothing is kept.
 */
export function* findTokens(text: string): Generator<LocatedToken, undefined> {
  for (let start = text.indexOf('{{'); start !== -1;) {
    const token = parseToken(text, start)
    if (token !== undefined) yield token
    start = text.indexOf('{{', token === undefined ? start + 1 : token.end)
  }
  return undefined
}

/** Cuts a text at its variable tokens. */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let done = 0
  for (const { start, end, raw, name } of findTokens(text)) {
    if (start > done) parts.push(text.slice(done, start))
    parts.push({ raw, name })
    done = end
  }
  if (done < text.length) parts.push(text.slice(done))
  return parts
}

/** The token whose braces open at an index; `undefined` if there is none. */
export function parseToken(text: string, start: number): LocatedToken | undefined {
  const nameStart = skipBlanks(text, start + 2)
  const nameEnd = skipName(text, nameStart)
  const close = skipBlanks(text, nameEnd)
  if (nameEnd === nameStart || !text.startsWith('}}', close)) return undefined
  const end = close + 2
  return { start, end, raw: text.slice(start, end), name: text.slice(nameStart, nameEnd) }
}

function skipBlanks(text: string, start: number): number {
  let index = start
  while (text[index] === ' ' || text[index] === '\t') index++
  return index
}

const NAME_START = /[\p{L}_]/u

/** Where a name ends; `start` where none begins. */
function skipName(text: string, start: number): number {
  let end = start
  if (!NAME_START.test(String.fromCodePoint(text.codePointAt(start) ?? 0))) return end
  // In pieces: an expression keeps a way back on its stack for each character, and a name of some
  // million overflows that.
  const piece = /[\p{L}\p{Nd}_.-]{1,1000}/uy
  for (piece.lastIndex = start; piece.test(text);) end = piece.lastIndex
  return end
}

/** The names of all variables in the given texts, each once, by first appearance. */
export function textVariables(texts: readonly string[]): string[] {
  const names = new Set<string>()
  for (const text of texts) {
    for (const { name } of findTokens(text)) names.add(name)
  }
  return [...names]
}
