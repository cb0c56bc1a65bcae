import { type ChangedPrompt, isChanged } from '../../../core/compare.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { printHeldSection } from '../../output/held-view.ts'
import { printImpact } from '../../output/impact-view.ts'
import { writeOutput } from '../../output/write-output.ts'
import { displayPath } from '../../project-command.ts'
import type { DiffInvocation } from './options.ts'
import type { Comparison } from './read-comparison.ts'

/** Prints the changes, or writes them to the file of `--output`, which is empty if nothing has changed. */
export async function printReport(compared: Comparison, invocation: DiffInvocation): Promise<void> {
  const { terminal, values } = invocation
  const { changes, held = [], reads } = compared.report
  const changed = changes.filter(isChanged)
  if (values.output !== undefined)
    await writeOutput(values.output, await textOf(changed, compared, values), invocation)
  else if (!terminal.isJson) await printChanges(changed, compared, invocation)
  const { messages } = terminal
  const isMarkdown = values.format === 'markdown'
  if (!isMarkdown) printHeldSection(held, messages)
  if (changed.length + held.length > 0 || isMarkdown) messages.line()
  const cost = reads === undefined ? '' : ` ${messages.dim(pluralize(reads, 'read'))}`
  messages.line(summaryOf(changed.length, compared, invocation) + cost)
}

function summaryOf(
  changed: number,
  { lock, report: { changes } }: Comparison,
  { cwd, values: { base } }: DiffInvocation,
): string {
  const path = displayPath(lock.path, { cwd })
  const subject = base === undefined ? path : `${path} at ${sanitize(base)}`
  if (changed === 0)
    return base === undefined ? `${path} is up to date.` : `${subject} is the same.`
  const all = pluralize(changes.length, 'prompt')
  return `${formatCount(changed)} of ${all} ${changed === 1 ? 'differs' : 'differ'} from ${subject}.`
}

/** The patches or the Markdown. */
async function textOf(
  changes: readonly ChangedPrompt[],
  { lock: { workspace }, impact, report: { held = [] } }: Comparison,
  { unified }: Pick<DiffInvocation['values'], 'unified'>,
): Promise<string> {
  if (unified) return (await import('../../output/unified.ts')).unifiedPatches(changes)
  const { printChangeReport } = await import('../../output/print-change-report.ts')
  return printChangeReport({ changes, impact: impact?.findings, held, workspace })
}

/** Loads the diff library only if there are changes. */
async function printChanges(
  changed: readonly ChangedPrompt[],
  compared: Comparison,
  { terminal: { stdout }, values }: DiffInvocation,
): Promise<void> {
  if (values.format === 'markdown')
    return stdout.exactLine((await textOf(changed, compared, values)).trimEnd())
  if (changed.length === 0) return
  if (values.unified) (await import('../../output/unified.ts')).printUnified(changed, stdout)
  else (await import('./diff-view.ts')).printDiff(changed, stdout)
  if (compared.impact === undefined) return
  stdout.line()
  printImpact(compared.impact, stdout)
}
