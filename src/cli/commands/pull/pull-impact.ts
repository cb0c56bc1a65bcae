import type { ImpactFinding } from '../../../features/usage/impact.ts'
import type { Project } from '../../../features/project/project.ts'
import type { PullDraft } from '../../../features/pull/pull.ts'
import type { CommandContext } from '../../args/command.ts'
import { type Approval, confirmWrite, showImpact } from '../../output/approval.ts'

/** Options that decide whether a breaking pull is written. */
export interface PullApprovalOptions {
  /** Write without asking. */
  readonly yes?: boolean
  /** Write nothing. */
  readonly dryRun?: boolean
  readonly tsconfig?: string | undefined
}

/** What a pull breaks in the app, and whether it may be written. */
export interface PullReview extends Approval {
  /** `null` if the app could not be analysed. */
  readonly findings: readonly ImpactFinding[] | null
}

/**
 * Prints what a pull would break in the app, and asks whether to write it. Without an interactive
 * terminal `--yes` is required.
 */
export async function reviewPull(
  project: Project,
  context: CommandContext,
  { draft, choice }: { readonly draft: PullDraft; readonly choice: PullApprovalOptions },
): Promise<PullReview> {
  const { tsconfig, yes, dryRun } = choice
  const findings = await showImpact(project, context, { ...draft, tsconfig })
  if (findings === null || findings.length === 0 || yes || dryRun)
    return { approved: true, findings }
  const changed = draft.changes.filter(({ kind }) => kind !== 'unchanged')
  return { ...(await confirmWrite(context, changed, findings)), findings }
}
