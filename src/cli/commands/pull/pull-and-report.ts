import type { Project } from '../../../features/project/project.ts'
import type { PullRequest } from '../../../features/pull/pull.ts'
import type { CommandContext } from '../../args/command.ts'
import { changeJson, type PullJson } from '../../output/json.ts'
import { serviceLabel } from '../../command-project.ts'
import { startProgress } from '../../output/progress.ts'
import { type PullApprovalOptions, type PullReview, reviewPull } from './pull-impact.ts'
import { printPullDraft, printPullResult, type PullOutcome } from './pull-report.ts'
import { warnIfTypesNotIncluded } from './unseen-types.ts'

/** What the caller of a pull decides. */
export type PullChoice = Pick<PullRequest, 'slugs' | 'changed' | 'allowEmpty'> & PullApprovalOptions

/**
 * Pulls with a progress bar and gives the result as JSON. Prints the changes and what they break
 * before anything is written, and the ending after it.
 */
export async function pullAndReport(
  project: Project,
  context: CommandContext,
  choice: PullChoice,
): Promise<PullJson> {
  const { terminal, signal, cwd } = context
  const progress = startProgress(terminal, `Pulling from ${serviceLabel(project)}`)
  const { onProgress, onRetry } = progress
  let review: PullReview | undefined
  const approve: PullRequest['approve'] = async (draft) => {
    progress.stop()
    printPullDraft(project, draft, terminal)
    review = await reviewPull(project, context, { draft, choice })
    return review.approved
  }
  const report = await project
    .pull({ ...choice, approve, signal, onProgress, onRetry })
    .finally(progress.stop)
  const outcome = { report, review, retries: progress.retries() }
  printPullResult(project, outcome, context)
  if (report.outcome === 'written') await warnIfTypesNotIncluded(project, { terminal, cwd })
  return pullJson(project, outcome)
}

function pullJson({ lock }: Project, { report, review, retries }: PullOutcome): PullJson {
  const { outcome, held, lints, collisions, planStatus, reads, lists } = report
  const changes = report.changes.flatMap(changeJson)
  return {
    environment: report.lock.environment,
    lock: lock.path,
    outcome,
    prompts: report.lock.prompts.length,
    changes,
    unchanged: report.changes.length - changes.length,
    held,
    impact: review?.findings ?? null,
    next: review?.next ?? null,
    lints,
    collisions,
    planStatus,
    reads,
    lists,
    retries,
  }
}
