import { pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { ProjectPullReport } from '../../../features/project/pull-project.ts'
import { printNext } from '../../output/approval.ts'
import { describeFiles } from '../../output/describe-change.ts'
import { displayPath, type ProjectContext } from '../../project-command.ts'
import type { PullReview } from './review-pull.ts'

/** The report of a pull, what it breaks, and the number of retries. */
export interface PullOutcome {
  readonly report: ProjectPullReport
  readonly review: PullReview
  readonly retries: number
}

/** Prints the result of a pull. */
export function printPullResult(
  context: ProjectContext,
  { report, review: { edits, next }, retries }: PullOutcome,
): void {
  const { terminal, project } = context
  const { messages } = terminal
  const lock = displayPath(project.lock.path, context)
  const files = [lock, ...report.generated.map((path) => displayPath(path, context))]
  if (edits !== undefined && edits.files.length > 0) files.push(describeFiles(edits.files))
  const message = {
    written: `Wrote ${new Intl.ListFormat('en').format(files)}.`,
    unchanged: `${lock} is ${report.skipped.length === 0 ? 'up to date' : 'unchanged'}.`,
    'dry-run': 'Dry run: nothing was written.',
    declined: `Nothing was written: ${lock} is unchanged.`,
  }[report.outcome]
  const cost = messages.dim(costs(report, retries).join(' · '))
  const result = report.outcome === 'declined' ? 'error' : 'ok'
  messages.line('', messages.mark(result, `${message} ${cost}`))
  printNext(next, messages)
  if (next !== undefined && edits === undefined)
    messages.line('  Or pass --skip-breaking to take only what does not break the app.')
}

function costs({ reads, planStatus }: ProjectPullReport, retries: number): string[] {
  return [
    pluralize(reads, 'read'),
    ...(retries === 0 ? [] : [`${retries} ${retries === 1 ? 'retry' : 'retries'}`]),
    ...(planStatus === 'active' ? [] : [`plan status “${sanitize(planStatus)}”`]),
  ]
}

/** Warns if no tsconfig includes the declarations: `virtual:prompts` would be "not found". */
export async function warnIfTypesNotIncluded(context: ProjectContext): Promise<void> {
  const { root, name, dts } = context.project.options
  if (dts === false) return
  const { declarationsAdvice } = await import('../../../features/generate/declarations-location.ts')
  const fix = declarationsAdvice({ root, dts, name })
  if (fix === undefined) return
  const { messages } = context.terminal
  const path = displayPath(dts, context)
  messages.line(
    messages.mark('warning', `TypeScript does not see ${path}: no tsconfig.json includes it.`),
    `  ${messages.fix(fix)}`,
  )
}
