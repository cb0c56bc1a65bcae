import { shellWord } from '../../core/text/shell-word.ts'
import { formatCommand } from '../../core/suggested-command.ts'
import type { PageState } from '../protocol.ts'

/**
 * A command of the package, run by the project's package manager.
 *
 * @param command - its name and options, such as `restore --from`
 * @param values - remote text, such as slugs
 * @returns `undefined` if a value is unsafe to paste into a terminal
 */
export function commandOf(
  { run, workspace }: Pick<PageState, 'run' | 'workspace'>,
  command: string,
  values: readonly string[] = [],
): string | undefined {
  const quoted = values.map(quote)
  if (quoted.includes(undefined)) return undefined
  return `${run} ${formatCommand(workspace, [command, ...quoted].join(' '))}`
}

/** Control and invisible characters can do more in a terminal than they show. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u

/** A value that begins with a dash would be an option. */
function quote(value: string): string | undefined {
  return value.startsWith('-') || !PRINTABLE.test(value) ? undefined : shellWord(value)
}
