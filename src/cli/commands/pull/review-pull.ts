import type { FixPlan } from '../../../features/fix/plan-fix.ts'
import type { PullDraft } from '../../../features/pull/pull.ts'
import type { ImpactFinding } from '../../../features/usage/impact.ts'
import { addYesOption, type Approval, confirmWrite, showImpact } from '../../output/approval.ts'
import { describeFiles } from '../../output/describe-change.ts'
import type { PullContext } from './pull-context.ts'
import type { ReviewDecision } from './questions.ts'

/** What a pull breaks in the app, and what to do with it. */
export interface PullReview extends ReviewDecision, Pick<Approval, 'next'> {
  /** `null` if the app could not be analysed. */
  readonly findings: readonly ImpactFinding[] | null
}

/**
 * Prints what a pull would break in the app, and asks what to do. Without an interactive terminal
 * `--yes` is required for a breaking update.
 *
 * @param previous - the review of the draft before the user skipped some of its changes
 * @throws Interruption on Ctrl-C
 */
export async function reviewPull(
  context: PullContext,
  draft: PullDraft,
  { decision: previous, edits }: PullReview,
): Promise<PullReview> {
  const { terminal, values, argv } = context
  const { interactive } = terminal
  if (edits !== undefined) {
    const { approved, ...more } = await reviewEdits(context, edits)
    return { decision: approved, findings: [], edits, ...more }
  }
  const findings = await showImpact(context, draft.before, draft.changes)
  if (values.interactive && typeof previous === 'boolean' && interactive !== undefined) {
    const { choosePrompts, showTexts } = await import('./questions.ts')
    showTexts(draft, terminal.stdout)
    const skip = await choosePrompts(draft, findings, interactive)
    terminal.messages.line()
    if (skip.length > 0) return { decision: { skip }, findings }
  }
  if (findings === null || findings.length === 0 || values.yes || values['dry-run'])
    return { decision: true, findings }
  if (interactive === undefined) return { decision: false, findings, next: addYesOption(argv) }
  const { askDecision } = await import('./questions.ts')
  return { ...(await askDecision(context, draft, findings, interactive)), findings }
}

/**
 * Prints the edits of a pull and asks whether to write them. Without an interactive terminal `--yes` is
 * required. A pull without edits is written, since it breaks nothing.
 *
 * @throws Interruption on Ctrl-C
 */
async function reviewEdits(context: PullContext, { files }: FixPlan): Promise<Approval> {
  const { terminal, values } = context
  if (files.length === 0) return { approved: true }
  const { printEdits } = await import('./fix-view.ts')
  printEdits(files, terminal.stdout)
  if (values.yes || values['dry-run']) return { approved: true }
  if (terminal.interactive !== undefined) terminal.messages.line()
  return confirmWrite(`Write the lock and edit ${describeFiles(files)}?`, context)
}
