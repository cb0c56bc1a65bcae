import { sanitize } from '../../core/text/sanitize.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { Channel } from '../shell/channel.ts'
import type { CommandContext } from '../shell/command.ts'

/** The command that writes a lock anyway; `null` if it is approved, or a person has declined it. */
export function commandToWrite(
  approved: boolean,
  { terminal: { interactive }, argv }: CommandContext,
): string[] | null {
  return approved || interactive !== undefined ? null : ['prompts', ...addOptions(argv, '--yes')]
}

/** The same command line with more options. */
export function addOptions(argv: readonly string[], ...options: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.toSpliced(end === -1 ? argv.length : end, 0, ...options)
}

/** Prints the command that writes the lock anyway, if there is one. */
export function printNext(next: readonly string[] | null, messages: Channel): void {
  if (next === null) return
  messages.line(`  Not interactive: pass --yes to write it anyway: ${printCommand(next)}`)
}

/** Prints a command as a POSIX shell reads it. */
export function printCommand(words: readonly string[]): string {
  return `\`npx ${words.map((word) => shellWord(sanitize(word))).join(' ')}\``
}
