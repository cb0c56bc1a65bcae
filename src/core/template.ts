export interface Token {
  /** The exact text, such as `{{ ticket }}`. */
  readonly raw: string
  readonly name: string
}

/** A part of a text: a token, or the text between tokens, which is never empty. */
export type TemplatePart = string | Token

/**
 * A token: blanks, a name, blanks. A name of more than 200 characters is none. Takes linear time on any
 * text: after an opener only the blanks and the name are read.
 */
const TOKEN = /\{\{[ \t]*([\p{L}_][\p{L}\p{Nd}_.-]{0,199})[ \t]*\}\}/gu

/** Yields the variable tokens of a text from left to right. */
export function* findTokens(
  text: string,
): Generator<Token & { readonly start: number; readonly end: number }, undefined> {
  for (const { 0: raw, 1: name = '', index: start } of text.matchAll(TOKEN))
    yield { raw, name, start, end: start + raw.length }
  return undefined
}

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

/** Returns the names of the variables in texts, each once, by first appearance. */
export function textVariables(texts: readonly string[]): string[] {
  const names = new Set<string>()
  for (const text of texts) {
    for (const { name } of findTokens(text)) names.add(name)
  }
  return [...names]
}
