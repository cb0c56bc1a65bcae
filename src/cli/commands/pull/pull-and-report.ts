import type { Project } from '../../../features/project/project.ts'
import { skipBreaking } from '../../../features/pull/skip-breaking.ts'
import { printRename } from '../../../features/fix/guess-renames.ts'
import type { PullRequest } from '../../../features/pull/pull.ts'
import type { CommandContext } from '../../args/command.ts'
import { changeJson, type PullJson, skippedJson } from '../../output/json.ts'
import { serviceLabel } from '../../command-project.ts'
import { codeLocation } from '../../output/impact-view.ts'
import { startProgress } from '../../output/progress.ts'
import { createFixSession } from './fix-session.ts'
import { type PullApprovalOptions, type PullReview, reviewPull } from './pull-impact.ts'
import { printPullDraft, printPullResult, type PullOutcome } from './pull-report.ts'
import { writePullReport } from './write-pull-report.ts'
import { warnIfTypesNotIncluded } from './unseen-types.ts'

/** The options of a pull by the caller. */
export interface PullChoice
  extends Pick<PullRequest, 'slugs' | 'changed' | 'allowEmpty'>, PullApprovalOptions {
  /** Take only the updates that leave the app compiling. */
  readonly skipBreaking?: boolean
  /** Edit the call sites that an update breaks. */
  readonly fix?: boolean
  /** Values of `--rename`. */
  readonly renames?: readonly string[]
  /** Edit files with changes that are not committed. */
  readonly allowDirty?: boolean
  /** Where to write a Markdown report. */
  readonly report?: string | undefined
}

/**
 * Pulls with a progress bar and returns the result as JSON. Prints the changes and what they break
 * before the lock is written, and the result afterwards.
 */
export async function pullAndReport(
  project: Project,
  context: CommandContext,
  choice: PullChoice,
): Promise<PullJson> {
  const { terminal, signal, cwd } = context
  const progress = startProgress(terminal, `Pulling from ${serviceLabel(project)}`)
  const { onProgress, onRetry } = progress
  const { renames = [], allowDirty = false, yes, tsconfig } = choice
  const fix = createFixSession(project, context, { renames, allowDirty, asks: !yes, tsconfig })
  let review: PullReview | undefined
  const approve: PullRequest['approve'] = async (draft) => {
    progress.stop()
    printPullDraft(project, draft, { terminal, cwd })
    const isChosen = review !== undefined
    review = await reviewPull(project, context, { draft, choice, isChosen, fix })
    const isFinal = typeof review.decision === 'boolean'
    const reported = { draft, review, path: choice.report, edits: fix.planned?.files ?? [] }
    if (isFinal) await writePullReport(project, context, reported)
    return review.decision
  }
  const skip: PullRequest['skip'] = async (draft) => {
    progress.stop()
    if (choice.fix) return fix.plan(draft)
    // A function for --interactive too: a pull that may skip changes checks the lock first.
    if (!choice.skipBreaking || draft.changes.every(({ kind }) => kind === 'unchanged')) return []
    const { messages } = terminal
    messages.line(messages.dim('Checking which updates the app survives…'))
    return skipBreaking(draft, codeLocation(project, context, { tsconfig }))
  }
  const report = await project
    .pull({
      ...choice,
      ...(choice.skipBreaking || choice.interactive || choice.fix ? { skip } : {}),
      approve,
      edits: () => fix.planned?.files ?? [],
      signal,
      onProgress,
      onRetry,
    })
    .finally(progress.stop)
  const outcome = { report, review, fix: fix.planned, retries: progress.retries() }
  printPullResult(project, outcome, context)
  if (report.outcome === 'written') await warnIfTypesNotIncluded(project, { terminal, cwd })
  return pullJson(project, outcome)
}

async function pullJson(
  { lock }: Project,
  { report, review, fix, retries }: PullOutcome,
): Promise<PullJson> {
  const { outcome, skipped, held, lints, collisions, planStatus, reads, lists } = report
  const changes = report.changes.flatMap(changeJson)
  return {
    environment: report.lock.environment,
    lock: lock.path,
    outcome,
    prompts: report.lock.prompts.length,
    changes,
    unchanged: report.changes.length - changes.length,
    skipped: skipped.flatMap(skippedJson),
    held,
    edits: fix === undefined ? [] : fix.files.map((await import('./fix-view.ts')).editJson),
    renames: fix?.renames.map(printRename) ?? [],
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
