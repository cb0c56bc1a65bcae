/**
 * Other template syntaxes, which become tokens when a prompt is read: after that there is one syntax. A text
 * is refused if it has what tokens can't say, such as a condition. Line breaks stay as they are stored.
 */
import { findTokens } from './template.ts'

/** `f-string` is that of Python's `str.format`. */
export type Syntax = 'f-string' | 'mustache' | 'jinja'

export const SYNTAXES: readonly Syntax[] = ['f-string', 'mustache', 'jinja']

/** A text of tokens, or why there is none. */
export type Conversion = { readonly text: string } | { readonly refused: string }

/**
 * What means something in each syntax: a variable, an escaped brace, or else what is refused. Made on demand, since
 * every start loads this file, and properties of Unicode take 2 ms.
 */
const PATTERNS: Readonly<Record<Syntax, () => RegExp>> = {
  'f-string': () => /(?<escaped>\{\{|\}\})|\{(?<name>[\p{L}_][\p{L}\p{Nd}_]*)\}|[{}]/gu,
  mustache: () =>
    /\{\{(?:\{\s*(?<raw>[\p{L}_][\p{L}\p{Nd}_.-]*)\s*\}|\s*(?:&\s*)?(?<name>[\p{L}_][\p{L}\p{Nd}_.-]*)\s*)\}\}|\{\{/gu,
  jinja: () =>
    /\{\{\s*(?<name>(?!(?:and|false|if|in|is|none|not|or|self|true|False|None|True)(?![\p{L}\p{Nd}_]))[\p{L}_][\p{L}\p{Nd}_]*(?:\.[\p{L}_][\p{L}\p{Nd}_]*)*)\s*\}\}|\{[{%#]/gu,
}

/** Turns a text into one with tokens, in linear time. */
export function toTokens(text: string, syntax: Syntax): Conversion {
  const starts: number[] = []
  let result = ''
  let done = 0
  for (const { 0: match, index, groups = {} } of text.matchAll(PATTERNS[syntax]())) {
    const { escaped, raw, name = raw } = groups
    if (escaped === undefined && name === undefined) return refuse(text, index)
    result += text.slice(done, index)
    if (name !== undefined) starts.push(result.length)
    result += escaped?.[0] ?? `{{ ${name} }}`
    done = index + match.length
  }
  result += text.slice(done)
  // Two braces that are text would be a variable here, and a long name would be text.
  const tokens = Array.from(findTokens(result), ({ start }) => start)
  const position = tokens.length > starts.length ? tokens : starts
  const odd = position.find((start, index) => start !== tokens[index] || start !== starts[index])
  return odd === undefined ? { text: result } : refuse(result, odd)
}

/** The most characters of a text that a reason has. */
const EXCERPT = 40

function refuse(text: string, index: number): Conversion {
  const line = text.slice(0, index).split('\n').length
  const [rest = ''] = text.slice(index).split('\n', 1)
  const excerpt = rest.slice(0, EXCERPT).replace(/(\}|[^}]*\}*).*/s, '$1')
  return { refused: `line ${line} has ${excerpt}, which can't be a variable or text here` }
}
