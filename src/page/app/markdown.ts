import { Hooks, Lexer, type MarkedOptions, type Token, Tokenizer } from 'marked'
import { parseTemplate, parseToken } from '../../core/template.ts'

/**
 * HTML, links and images of a prompt stay text, since nothing of a prompt is ever followed, and
 * Markdown between tags is read.
 */
class TextTokenizer extends Tokenizer {
  override html(): undefined {}
  override tag(): undefined {}
  override def(): undefined {}
  override link(): undefined {}
  override reflink(): undefined {}
  override autolink(): undefined {}
  override url(): undefined {}
}

/** Keeps the signs in names of variables from being taken for emphasis. */
class VariableMask extends Hooks {
  override emStrongMask(text: string): string {
    return parseTemplate(text)
      .map((part) => (typeof part === 'string' ? part : 'x'.repeat(part.raw.length)))
      .join('')
  }
}

/** A variable at the beginning of a text, as text. */
function variableAt(text: string): Token | undefined {
  const variable = text.startsWith('{{') ? parseToken(text, 0) : undefined
  return variable && { type: 'text', raw: variable.raw, text: variable.raw }
}

const OPTIONS: MarkedOptions = {
  gfm: true,
  // Lines of a prompt stay lines.
  breaks: true,
  tokenizer: new TextTokenizer(),
  hooks: new VariableMask(),
  extensions: {
    renderers: {},
    childTokens: {},
    inline: [variableAt],
    startInline: [(text) => text.indexOf('{{')],
  },
}

/** Reads a text as Markdown; as a single paragraph if it is nested too deeply to be read. */
export function readMarkdown(text: string): Token[] {
  try {
    return new Lexer(OPTIONS).lex(text)
  } catch (error) {
    if (error instanceof RangeError) return [{ type: 'text', raw: text, text }]
    throw error
  }
}

/** Reads a line as Markdown. */
export function readMarkdownLine(text: string): Token[] {
  return new Lexer(OPTIONS).inlineTokens(text)
}
