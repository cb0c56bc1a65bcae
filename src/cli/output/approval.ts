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
  if (interactive === undefined) return { approved: false, next: addOptions(argv, '--yes') }
  return { approved: await askYesNo(question, interactive, initialValue) }
}

/** The same command line with more options. */
export function addOptions(argv: readonly string[], ...options: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return ['prompts', ...argv.toSpliced(end === -1 ? argv.length : end, 0, ...options)]
}

/** Prints the command that writes the lock anyway, if there is one. */
export function printNext(next: Approval['next'], messages: Channel): void {
  if (next === undefined) return
  messages.line(`  Not interactive: pass --yes to write it anyway: ${printCommand(next)}`)
}

/** Prints a command as a POSIX shell reads it. */
export function printCommand(words: readonly string[]): string {
  return `\`npx ${words.map(shellWord).join(' ')}\``
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word)
    ? word
    : `'${sanitize(word).replaceAll("'", String.raw`'\''`)}'`
}
