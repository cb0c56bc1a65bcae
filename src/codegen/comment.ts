import { sanitize } from '../core/text/sanitize.ts'

/**
 * Makes text safe in a comment of generated code: it can't end the comment or a block of code in it,
 * and contains no tag or link. Remote text enters comments only through this function. Characters are
 * replaced by similar ones, because the text is only for reading.
 */
export function escapeComment(text: string): string {
  return sanitize(text).replaceAll('*/', '*∕').replaceAll('@', '＠').replaceAll('`', 'ˋ').trimEnd()
}

/** The same for text that an editor renders as Markdown, so that it loads no image. */
export function escapeMarkdown(text: string): string {
  return escapeComment(text).replaceAll('[', '［').replaceAll('<', '＜')
}
