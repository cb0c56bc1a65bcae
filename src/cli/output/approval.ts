import { sanitize } from '../../core/text/sanitize.ts'
import type { CommandContext } from '../args/command.ts'
import { askYesNo } from '../ask.ts'
import type { Channel } from './channel.ts'

/** Whether a lock may be written. */
export interface Approval {
  readonly approved: boolean
  /** The command that writes it anyway, if the terminal isn't interactive. */
  readonly next?: readonly string[]
}

/**
 * Asks whether to write the lock. Without an interactive terminal `--yes` is required.
 *
 * @param initialValue - the answer on Enter
 * @throws Interruption on Ctrl-C
 */
export async function confirmWrite(
  question: string,
  { terminal: { interactive }, argv }: CommandContext,
  initialValue = true,
): Promise<Approval> {
  if (interactive === undefined) return { approved: false, next: addYesOption(argv) }
  return { approved: await askYesNo(question, interactive, initialValue) }
}

/** The same command line with `--yes`. */
export function addYesOption(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return ['prompts', ...argv.toSpliced(end === -1 ? argv.length : end, 0, '--yes')]
}

/** Prints the command that writes the lock anyway, if there is one. */
export function printNext(next: Approval['next'], messages: Channel): void {
  if (next === undefined) return
  const command = next.map(shellWord).join(' ')
  messages.line(`  Not interactive: pass --yes to write it anyway: \`npx ${command}\``)
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word)
    ? word
    : `'${sanitize(word).replaceAll("'", String.raw`'\''`)}'`
}
