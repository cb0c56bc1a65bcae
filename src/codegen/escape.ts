import { escapeInvisible } from '../core/text/json-string.ts'
import { sanitize } from '../core/text/sanitize.ts'

/**
 * Prints a literal of JavaScript and TypeScript, of a text with double quotes. Remote data enter generated code
 * only through this function. `<` is escaped too, so a module that is inlined into a page contains no
 * `</script>` or `<!--`.
 */
export function literal(value: string | number | null): string {
  return escapeInvisible(JSON.stringify(value)).replaceAll('<', '\\u003c')
}

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
