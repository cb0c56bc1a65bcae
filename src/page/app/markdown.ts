import { Hooks, Lexer, type MarkedOptions, type Token, Tokenizer } from 'marked'
import { parseTemplate, parseToken } from '../../core/template.ts'

/**
 * Keeps HTML, links and images of a prompt as text: the page never follows anything in a prompt.
 * Markdown between HTML tags is still rendered.
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

/** Keeps `_` and `*` in variable names from being parsed as emphasis. */
class VariableMask extends Hooks {
  override emStrongMask(text: string): string {
    return parseTemplate(text)
      .map((part) => (typeof part === 'string' ? part : 'x'.repeat(part.raw.length)))
      .join('')
  }
}

/** The variable at the start of a text, as a text token. */
function variableAt(text: string): Token | undefined {
  const variable = text.startsWith('{{') ? parseToken(text, 0) : undefined
  return variable && { type: 'text', raw: variable.raw, text: variable.raw }
}

const OPTIONS: MarkedOptions = {
  gfm: true,
  // Line breaks of a prompt are kept.
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

/** Parses a text as Markdown. A text that is nested too deeply becomes a single paragraph. */
export function readMarkdown(text: string): Token[] {
  try {
    return new Lexer(OPTIONS).lex(text)
  } catch (error) {
    if (error instanceof RangeError) return [{ type: 'text', raw: text, text }]
    throw error
  }
}

/** Parses a line as Markdown. */
export function readMarkdownLine(text: string): Token[] {
  return new Lexer(OPTIONS).inlineTokens(text)
}
