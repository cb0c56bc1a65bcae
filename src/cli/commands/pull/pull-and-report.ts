import { classifyChanges } from '../../../core/classify-change.ts'
import { isChanged } from '../../../core/compare.ts'
import { printRename } from '../../../features/fix/renames.ts'
import type { PullDraft, PullRequest } from '../../../features/pull/pull.ts'
import { skipBreaking } from '../../../features/pull/skip-breaking.ts'
import type { SkippedChange } from '../../../features/pull/skipped-change.ts'
import { codeLocation } from '../../output/impact-view.ts'
import { changeJson, type PullJson, type SkippedJson } from '../../output/json.ts'
import { startProgress } from '../../output/progress.ts'
import { writeOutput } from '../../output/write-output.ts'
import { serviceLabel } from '../../project-command.ts'
import { printPullDraft } from './draft-view.ts'
import { planEdits } from './plan-edits.ts'
import type { PullContext } from './pull-context.ts'
import { printPullResult, type PullOutcome, warnIfTypesNotIncluded } from './result-view.ts'
import { type PullReview, reviewPull } from './review-pull.ts'

/**
 * Pulls with a progress bar and returns the result as JSON. Prints the changes and what they break
 * before the lock is written, and the result afterwards.
 */
export async function pullAndReport(context: PullContext): Promise<PullJson> {
  const { project, terminal, signal, positionals, values } = context
  const progress = startProgress(terminal, `Pulling from ${serviceLabel(project)}`)
  const { onProgress, onRetry } = progress
  let review: PullReview = { decision: true, findings: null }
  const approve: PullRequest['approve'] = async (draft) => {
    progress.stop()
    printPullDraft(context, draft)
    review = await reviewPull(context, draft, review)
    const isFinal = typeof review.decision === 'boolean'
    if (isFinal && values.report !== undefined)
      await writeOutput(values.report, await markdownOf(context, draft, review), context)
    return review.decision
  }
  const skip: PullRequest['skip'] = async (draft) => {
    progress.stop()
    if (values.fix) {
      const edits = await planEdits(context, draft)
      review = { ...review, edits }
      return edits.skipped
    }
    // A function for --interactive too: a pull that may skip changes checks the lock first.
    if (!values['skip-breaking'] || !draft.changes.some(isChanged)) return []
    const { messages } = terminal
    messages.line(messages.dim('Checking which updates the app survives…'))
    return skipBreaking(draft, codeLocation(context))
  }
  const report = await project
    .pull({
      slugs: positionals.length === 0 ? undefined : positionals,
      changed: values.changed,
      allowEmpty: values['allow-empty'],
      dryRun: values['dry-run'],
      ...(values['skip-breaking'] || values.interactive || values.fix ? { skip } : {}),
      approve,
      edits: () => review.edits?.files ?? [],
      signal,
      onProgress,
      onRetry,
    })
    .finally(progress.stop)
  const outcome = { report, review, retries: progress.retries() }
  printPullResult(context, outcome)
  if (report.outcome === 'written') await warnIfTypesNotIncluded(context)
  return pullJson(context, outcome)
}

/** What a pull is about to do. Written before the lock, so a report that can't be written stops it. */
async function markdownOf(
  { project }: PullContext,
  { changes, skipped, held }: PullDraft,
  { findings, edits: planned }: PullReview,
): Promise<string> {
  const { printChangeReport } = await import('../../output/print-change-report.ts')
  const { editJson } = await import('./fix-view.ts')
  const edits = planned?.files.map(editJson)
  const { workspace } = project.lock
  return printChangeReport({
    workspace,
    changes,
    skipped,
    held,
    edits,
    impact: findings ?? undefined,
  })
}

async function pullJson(
  { project }: PullContext,
  { report, review, retries }: PullOutcome,
): Promise<PullJson> {
  const { outcome, skipped, held, lints, collisions, planStatus, reads, lists } = report
  const { edits, findings, next } = review
  const changes = classifyChanges(report.changes).map(changeJson)
  return {
    environment: report.lock.environment,
    lock: project.lock.path,
    outcome,
    prompts: report.lock.prompts.length,
    changes,
    unchanged: report.changes.length - changes.length,
    skipped: skipped.flatMap(skippedJson),
    held,
    edits: edits === undefined ? [] : edits.files.map((await import('./fix-view.ts')).editJson),
    renames: edits?.renames.map(printRename) ?? [],
    impact: findings,
    next: next ?? null,
    lints,
    collisions,
    planStatus,
    reads,
    lists,
    retries,
  }
}

function skippedJson({ change, ...why }: SkippedChange): SkippedJson[] {
  return classifyChanges([change]).map((classified) => ({ ...changeJson(classified), ...why }))
}
