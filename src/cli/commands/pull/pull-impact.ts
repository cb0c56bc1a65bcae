import type { ImpactFinding } from '../../../features/usage/impact.ts'
import type { Project } from '../../../features/project/project.ts'
import type { PullDecision, PullDraft } from '../../../features/pull/pull.ts'
import type { CommandContext } from '../../args/command.ts'
import type { FixSession } from './fix-session.ts'
import { addYesOption, type Approval, showImpact } from '../../output/approval.ts'

/** Options that decide whether a breaking pull is written. */
export interface PullApprovalOptions {
  /** Write without asking. */
  readonly yes?: boolean
  /** Write nothing. */
  readonly dryRun?: boolean
  /** Let the user choose the prompts to update, which needs an interactive terminal. */
  readonly interactive?: boolean
  readonly tsconfig?: string | undefined
}

/** What a pull breaks in the app, and what to do with it. */
export interface PullReview extends Pick<Approval, 'next'> {
  readonly decision: PullDecision
  /** `null` if the app could not be analysed. */
  readonly findings: readonly ImpactFinding[] | null
}

/** A draft to review. */
interface ReviewRequest {
  readonly draft: PullDraft
  readonly choice: PullApprovalOptions
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
  project: Project,
  context: CommandContext,
  { draft, choice, isChosen, fix }: ReviewRequest,
): Promise<PullReview> {
  const { interactive } = context.terminal
  const { tsconfig, yes, dryRun } = choice
  if (fix.planned !== undefined) {
    const { reviewFix } = await import('./review-fix.ts')
    const { approved, ...more } = await reviewFix(context, fix.planned, choice)
    return { decision: approved, findings: [], ...more }
  }
  const findings = await showImpact(project, context, { ...draft, tsconfig })
  if (choice.interactive && !isChosen && interactive !== undefined) {
    const { choosePrompts, showTexts } = await import('./choose-prompts.ts')
    showTexts(draft, context.terminal)
    const skip = await choosePrompts({ draft, findings }, interactive)
    context.terminal.messages.line()
    if (skip.length > 0) return { decision: { skip }, findings }
  }
  if (findings === null || findings.length === 0 || yes || dryRun)
    return { decision: true, findings }
  if (interactive === undefined)
    return { decision: false, findings, next: addYesOption(context.argv) }
  const { askDecision } = await import('./ask-decision.ts')
  const update = { draft, findings, tsconfig, interactive, fix }
  const decision = await askDecision(project, context, update)
  return { decision, findings }
}
