/** A variable token. */
export interface Token {
  /** The exact text, such as `{{ ticket }}`. */
  readonly raw: string
  /** The variable's name, such as `ticket`. */
  readonly name: string
}

/** A part of a text: a token, or the text between tokens, which is never empty. */
export type TemplatePart = string | Token

interface LocatedToken extends Token {
  readonly start: number
  readonly end: number
}

/** Yields the variable tokens of a text from left to right. Takes linear time on any input. */
export function* findTokens(text: string): Generator<LocatedToken, undefined> {
  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', start + 1)) {
    const token = parseToken(text, start)
    if (token !== undefined) yield token
  }
  return undefined
}

/** Splits a text at its variable tokens. */
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

/** Returns the token that begins at an index; `undefined` if there is none. */
function parseToken(text: string, start: number): LocatedToken | undefined {
  const nameStart = skipBlanks(text, start + 2)
  const nameEnd = skipName(text, nameStart)
  const close = skipBlanks(text, nameEnd)
  if (nameEnd === nameStart || nameEnd - nameStart > MAX_NAME || !text.startsWith('}}', close))
    return undefined
  const end = close + 2
  return { start, end, raw: text.slice(start, end), name: text.slice(nameStart, nameEnd) }
}

function skipBlanks(text: string, start: number): number {
  let index = start
  while (text[index] === ' ' || text[index] === '\t') index++
  return index
}

/** The longest name of a variable. What is longer stays text. */
const MAX_NAME = 200

/** Returns the end of a name; `start` if there is none. */
function skipName(text: string, start: number): number {
  const name = /[\p{L}_][\p{L}\p{Nd}_.-]{0,200}/uy
  name.lastIndex = start
  return name.test(text) ? name.lastIndex : start
}

/** Returns the names of the variables in texts, each once, by first appearance. */
export function textVariables(texts: readonly string[]): string[] {
  const names = new Set<string>()
  for (const text of texts) {
    for (const { name } of findTokens(text)) names.add(name)
  }
  return [...names]
}
