import type { PartId } from './prompt.ts'
import { sanitize } from './text/sanitize.ts'
import { formatCommand } from './workspace-name.ts'

/**
 * Prints a command about parts of one environment as a POSIX shell reads it:
 * `npx prompts hold 'a b' --environment test`.
 */
export function partCommand(
  workspace: string,
  command: string,
  parts: readonly PartId[],
  option: string = '',
): string {
  const slugs = parts.map(({ slug }) => shellWord(sanitize(slug))).join(' ')
  // Options end before a slug that looks like one.
  const isLast = parts.some(({ slug }) => slug.startsWith('-'))
  const staging = parts[0]?.environment === 'test' && '--environment test'
  const words = [command, !isLast && slugs, option, staging].filter(Boolean).join(' ')
  return `npx ${formatCommand(workspace, words)}${isLast ? ` -- ${slugs}` : ''}`
}

/** Not `~` first, which is a home folder. */
const PLAIN_WORD = /^[\w@%+=:,./-][\w@%+=:,./~^-]*$/

/** Quotes a word for POSIX shells, where it needs that. */
export function shellWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
