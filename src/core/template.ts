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
 * DESIGN section 4. No two quantifiers next to each other share a character, so a failed match
 * costs no more than the characters it looked at: linear on any input.
 */
const TOKEN = /\{\{[ \t]*([\p{L}_][\p{L}\p{Nd}_.-]*)[ \t]*\}\}/gu

/** Cuts a text at its variable tokens, in one pass from left to right. */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) parts.push(text.slice(end, match.index))
    parts.push({ raw: match[0], name: match[1] ?? '' })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** The names of all variables in the given texts, each once, by first appearance. */
export function variablesOf(texts: readonly string[]): string[] {
  const names = new Set<string>()
  for (const text of texts) {
    for (const part of parseTemplate(text)) if (typeof part !== 'string') names.add(part.name)
  }
  return [...names]
}
