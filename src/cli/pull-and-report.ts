import type { Project } from '../project.ts'
import type { PullReport, PullRequest } from '../pull.ts'
import type { Surroundings } from './command.ts'
import { changeJson, type PullJson } from './json.ts'
import { serviceLabel } from './open.ts'
import { startProgress } from './progress.ts'
import { printPullReport } from './pull-report.ts'
import { warnOfUnseenTypes } from './unseen-types.ts'

/** What of a pull its caller decides. */
export type PullChoice = Pick<
  PullRequest,
  'slugs' | 'changed' | 'allowEmpty' | 'dryRun' | 'approve'
>

/** Pulls with a progress bar, prints what came of it for a person, and gives it as JSON. */
export async function pullAndReport(
  project: Project,
  { terminal, signal, cwd }: Surroundings,
  choice: PullChoice,
): Promise<PullJson> {
  const progress = startProgress(terminal, `Pulling from ${serviceLabel(project)}`)
  const { onProgress, onRetry } = progress
  const report = await project
    .pull({ ...choice, ...stopBefore(choice, progress.stop), signal, onProgress, onRetry })
    .finally(progress.stop)
  const outcome = { report, retries: progress.retries() }
  printPullReport(project, outcome, { terminal, cwd })
  if (report.outcome === 'written') await warnOfUnseenTypes(project, { terminal, cwd })
  return pullJson(project, outcome)
}

/** Nothing may be drawn over a question. */
function stopBefore({ approve }: PullChoice, stop: () => void): Pick<PullChoice, 'approve'> {
  if (approve === undefined) return {}
  return {
    approve(draft) {
      stop()
      return approve(draft)
    },
  }
}

/** A pull's report and how many of its requests were sent again. */
export interface PullOutcome {
  readonly report: PullReport
  readonly retries: number
}

function pullJson({ lock }: Project, { report, retries }: PullOutcome): PullJson {
  const { outcome, lints, collisions, planStatus, reads, lists } = report
  const changes = report.changes.flatMap(changeJson)
  return {
    environment: report.lock.environment,
    lock: lock.path,
    outcome,
    prompts: report.lock.prompts.length,
    changes,
    unchanged: report.changes.length - changes.length,
    lints,
    collisions,
    planStatus,
    reads,
    lists,
    retries,
  }
}
