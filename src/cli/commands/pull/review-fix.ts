import type { FixPlan } from '../../../features/fix/fix-plan.ts'
import type { CommandContext } from '../../args/command.ts'
import { addYesOption, type Approval } from '../../output/approval.ts'
import { describeFiles } from '../../output/describe-change.ts'
import { printEdits } from './fix-view.ts'

/** How a pull with edits is approved. */
interface FixApprovalOptions {
  /** Write without asking. Default: false. */
  readonly yes?: boolean
  /** Write nothing. Default: false. */
  readonly dryRun?: boolean
}

/**
 * Prints the edits of a pull and asks whether to write them. Without an interactive terminal `--yes` is
 * required. A pull without edits is written, since it breaks nothing.
 *
 * @throws Interruption on Ctrl-C
 */
export async function reviewFix(
  { terminal, argv }: CommandContext,
  { files }: FixPlan,
  { yes = false, dryRun = false }: FixApprovalOptions,
): Promise<Approval> {
  printEdits(files, terminal)
  if (files.length === 0 || yes || dryRun) return { approved: true }
  const { interactive } = terminal
  if (interactive === undefined) return { approved: false, next: addYesOption(argv) }
  const { askYesNo } = await import('../../ask.ts')
  terminal.messages.line()
  const question = `Write the lock and edit ${describeFiles(files)}?`
  return { approved: await askYesNo(question, interactive) }
}
