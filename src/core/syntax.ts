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
 * What means something in each syntax: a variable, text with escaped braces, or else what is refused. Made on demand,
 * since every start loads this file, and properties of Unicode take 2 ms. The bounds keep the stack of the regular
 * expression small.
 */
const PATTERNS: Readonly<Record<Syntax, () => RegExp>> = {
  'f-string': () =>
    /(?<escaped>(?:[^{}]|\{\{|\}\}){1,1000})|\{(?<name>[\p{L}_][\p{L}\p{Nd}_]{0,999})\}|[{}]/gu,
  mustache: () =>
    /\{\{(?:\{\s{0,999}(?<raw>[\p{L}_][\p{L}\p{Nd}_.-]{0,999})\s{0,999}\}|\s{0,999}(?:&\s{0,999})?(?<name>[\p{L}_][\p{L}\p{Nd}_.-]{0,999})\s{0,999})\}\}|\{\{/gu,
  // Python takes U+FEFF for no white space, and only the letters of identifiers for those of a name.
  jinja: () =>
    /\{\{[^\S\ufeff]{0,999}(?<name>(?!(?:and|false|if|in|is|none|not|or|self|true|False|None|True)(?![\p{L}\p{Nd}_]))(?=[\p{XIDS}_])[\p{L}_](?:(?=\p{XIDC})[\p{L}\p{Nd}_]|\.(?=[\p{XIDS}_])(?=[\p{L}_])){0,999})[^\S\ufeff]{0,999}\}\}|\{[{%#]/gu,
}

/**
 * Turns a text into one with tokens, in linear time.
 *
 * @param mask - masks secrets in what is cut for the reason of a refusal. Default: the text has none
 */
export function toTokens(
  text: string,
  syntax: Syntax,
  mask: (text: string) => string = String,
): Conversion {
  const starts: number[] = []
  let result = ''
  let done = 0
  for (const { 0: match, index, groups = {} } of text.matchAll(PATTERNS[syntax]())) {
    const { escaped, raw, name = raw } = groups
    if (escaped === undefined && name === undefined) return refuse(text, index, mask)
    result += text.slice(done, index)
    if (name !== undefined) starts.push(result.length)
    result += escaped?.replaceAll('{{', '{').replaceAll('}}', '}') ?? `{{ ${name} }}`
    done = index + match.length
  }
  result += text.slice(done)
  // Two braces that are text would be a variable here, and a long name would be text.
  const tokens = Array.from(findTokens(result), ({ start }) => start)
  const position = tokens.length > starts.length ? tokens : starts
  const odd = position.find((start, index) => start !== tokens[index] || start !== starts[index])
  return odd === undefined ? { text: result } : refuse(result, odd, mask)
}

/** The most characters of a text that a reason has. */
const EXCERPT = 40

function refuse(text: string, index: number, mask: (text: string) => string): Conversion {
  const line = text.slice(0, index).split('\n').length
  const [rest = ''] = text.slice(index).split('\n', 1)
  const excerpt = mask(rest)
    .slice(0, EXCERPT)
    .replace(/(\}|[^}]*\}*).*/s, '$1')
  return { refused: `line ${line} has ${excerpt}, which can't be a variable or text here` }
}
