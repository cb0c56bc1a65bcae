import { sanitize } from '../../core/text/sanitize.ts'
import { makeVisible } from '../../core/text/visible.ts'

/**
 * Remote text as code in a line of Markdown. GitHub and GitLab look for names to ping, issues to
 * link and images to load in running text only, never in code; and every character that means
 * something to Markdown, HTML or a table stands as a reference, which can't (CommonMark 6.2).
 */
export function inlineCode(text: string): string {
  const line = makeVisible(sanitize(text)).replaceAll(/[!-/:-@[-`{-~]/g, reference)
  return `<code>${line.trim() === '' ? '(empty)' : line}</code>`
}

function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}

/**
 * Remote text as a block of code, behind a fence that is longer than any in the text. Hidden
 * characters are shown by name.
 *
 * @param language - such as `diff`
 */
export function fencedCode(text: string, language: string): string {
  const lines = text.replace(/\n$/, '').split('\n').map(makeVisible)
  const fence = '`'.repeat(Math.max(2, longestRun(text)) + 1)
  return `${fence}${language}\n${lines.join('\n')}\n${fence}\n`
}

/** The length of the longest run of backticks. */
function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0)
}
