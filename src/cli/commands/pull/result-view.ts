import { pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { PullDraft } from '../../../features/pull/draft.ts'
import { printNext } from '../../output/approval.ts'
import { describeFiles } from '../../output/change-view.ts'
import type { PullJson } from '../../output/json.ts'
import { displayPath, type ProjectContext } from '../../project-command.ts'
import type { PullDecision } from './decide.ts'

/** What came of a decision, and what it took. */
export interface PullResult {
  readonly outcome: PullJson['outcome']
  /** The absolute paths of what has changed: the declarations, the folder `outDir`. */
  readonly generated: readonly string[]
  readonly retries: number
}

/** Prints the result of a pull. */
export function printPullResult(
  context: ProjectContext,
  { draft, edits, next }: PullDecision,
  { outcome, generated, retries }: PullResult,
): void {
  const { terminal, project } = context
  const { messages } = terminal
  const lock = displayPath(project.lock.path, context)
  const files = [lock, ...generated.map((path) => displayPath(path, context))]
  if (edits !== undefined && edits.files.length > 0) files.push(describeFiles(edits.files))
  const message = {
    written: `Wrote ${new Intl.ListFormat('en').format(files)}.`,
    unchanged: `${lock} is ${draft.skipped.length === 0 ? 'up to date' : 'unchanged'}.`,
    'dry-run': 'Dry run: nothing was written.',
    declined: `Nothing was written: ${lock} is unchanged.`,
  }[outcome]
  const cost = messages.dim(costs(draft, retries).join(' · '))
  messages.line('', messages.mark(outcome === 'declined' ? 'error' : 'ok', `${message} ${cost}`))
  printNext(next, messages)
  if (next !== undefined && edits === undefined)
    messages.line('  Or pass --skip-breaking to take only what does not break the app.')
}

function costs({ reads, planStatus }: PullDraft, retries: number): string[] {
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
