import type { FixPlan } from '../../../features/fix/fix-plan.ts'
import type { PullDecision, PullDraft } from '../../../features/pull/pull.ts'
import type { ImpactFinding } from '../../../features/usage/impact.ts'
import { askYesNo } from '../../ask.ts'
import { addYesOption, type Approval, showImpact } from '../../output/approval.ts'
import { describeFiles } from '../../output/describe-change.ts'
import type { FixSession } from './fix-session.ts'
import type { PullContext } from './pull-context.ts'

/** What a pull breaks in the app, and what to do with it. */
export interface PullReview extends Pick<Approval, 'next'> {
  readonly decision: PullDecision
  /** `null` if the app could not be analysed. */
  readonly findings: readonly ImpactFinding[] | null
}

/** A draft to review. */
interface ReviewRequest {
  readonly draft: PullDraft
  /** Whether the user has already chosen the prompts of the draft. */
  readonly isChosen: boolean
  /** Plans edits of the app, if they are wanted. */
  readonly fix: FixSession
}

/**
 * Prints what a pull would break in the app, and asks what to do. Without an interactive terminal
 * `--yes` is required for a breaking update.
 *
 * @throws Interruption on Ctrl-C
 */
export async function reviewPull(
  context: PullContext,
  { draft, isChosen, fix }: ReviewRequest,
): Promise<PullReview> {
  const { terminal, values, argv } = context
  const { interactive } = terminal
  if (fix.planned !== undefined) {
    const { approved, ...more } = await reviewFix(context, fix.planned)
    return { decision: approved, findings: [], ...more }
  }
  const findings = await showImpact(context, { ...draft, tsconfig: values.tsconfig })
  if (values.interactive && !isChosen && interactive !== undefined) {
    const { choosePrompts, showTexts } = await import('./choose-prompts.ts')
    showTexts(draft, terminal.stdout)
    const skip = await choosePrompts({ draft, findings }, interactive)
    terminal.messages.line()
    if (skip.length > 0) return { decision: { skip }, findings }
  }
  if (findings === null || findings.length === 0 || values.yes || values['dry-run'])
    return { decision: true, findings }
  if (interactive === undefined) return { decision: false, findings, next: addYesOption(argv) }
  const { askDecision } = await import('./ask-decision.ts')
  return { decision: await askDecision(context, { draft, findings, interactive, fix }), findings }
}

/**
 * Prints the edits of a pull and asks whether to write them. Without an interactive terminal `--yes` is
 * required. A pull without edits is written, since it breaks nothing.
 *
 * @throws Interruption on Ctrl-C
 */
async function reviewFix(
  { terminal, argv, values }: PullContext,
  { files }: FixPlan,
): Promise<Approval> {
  if (files.length === 0) return { approved: true }
  const { printEdits } = await import('./fix-view.ts')
  printEdits(files, terminal.stdout)
  if (values.yes || values['dry-run']) return { approved: true }
  if (terminal.interactive === undefined) return { approved: false, next: addYesOption(argv) }
  terminal.messages.line()
  const question = `Write the lock and edit ${describeFiles(files)}?`
  return { approved: await askYesNo(question, terminal.interactive) }
}
