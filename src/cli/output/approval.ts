import { riskyChanges } from '../../core/classify-change.ts'
import type { PromptChange } from '../../core/compare.ts'
import type { Lock } from '../../core/prompt.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { isPromptsError } from '../../errors/prompts-error.ts'
import type { ImpactFinding } from '../../features/usage/impact.ts'
import type { CommandContext } from '../args/command.ts'
import { askYesNo } from '../ask.ts'
import type { Channel } from './channel.ts'
import { type CodeContext, impactOfChanges, printImpact } from './impact-view.ts'
import type { Terminal } from './terminal.ts'

/** Whether a lock may be written. */
export interface Approval {
  readonly approved: boolean
  /** The command that writes it anyway, if the terminal isn't interactive. */
  readonly next?: readonly string[]
}

/**
 * Prints what in the app a change of the lock breaks. The app is analysed only if a contract
 * changes, since that takes a type check.
 *
 * @returns `null` if the app could not be analysed
 */
export async function showImpact(
  context: CodeContext,
  before: Lock,
  changes: readonly PromptChange[],
): Promise<readonly ImpactFinding[] | null> {
  if (riskyChanges(changes).length === 0) return []
  const { messages } = context.terminal
  messages.line('', messages.dim('Checking what the update breaks…'))
  const impact = await impactOfChanges(context, before, changes).catch((error: unknown) =>
    warnNotAnalysed(error, messages),
  )
  if (impact === undefined) return null
  printImpact(impact, messages)
  return impact.findings
}

/** A failed analysis is only a warning, so a pull can still repair the lock. */
function warnNotAnalysed(error: unknown, messages: Terminal['messages']): undefined {
  const reason = isPromptsError(error) ? error.why : sanitize(String(error))
  messages.line(messages.mark('warning', `The app was not checked for breaking changes: ${reason}`))
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
