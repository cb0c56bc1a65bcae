import { sanitize, makeVisible } from '../../core/text/sanitize.ts'

/**
 * Remote text as plain words in Markdown. Every character with a meaning in Markdown, HTML or a table
 * is written as a character reference, which has none (CommonMark 6.2).
 */
export function plainWords(text: string): string {
  return makeVisible(sanitize(text)).replaceAll(
    /[!-/:-@[-`{-~]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  )
}

/**
 * The same as inline code. GitHub and GitLab look for mentions, issue links and images only outside
 * of code. Nothing for an empty text.
 */
export function inlineCode(text: string): string {
  if (text === '') return ''
  if (/^[\w./:-]+$/.test(text)) return `\`${text}\``
  const words = plainWords(text)
  return `<code>${words.trim() === '' ? '(empty)' : words}</code>`
}

/**
 * Remote text as a code block, with a fence that is longer than any in the text. Hidden characters
 * are shown by name.
 *
 * @param language - such as `diff`
 */
export function fencedCode(text: string, language: string): string {
  const lines = text.replace(/\n$/, '').split('\n').map(makeVisible)
  const runs = (text.match(/`+/g) ?? []).map(({ length }) => length)
  const fence = '`'.repeat(runs.reduce((most, length) => Math.max(most, length), 2) + 1)
  return `${fence}${language}\n${lines.join('\n')}\n${fence}\n`
}
