import { resolve } from 'node:path'
import { type PromptChange, isChanged } from '../../../core/compare.ts'
import type { HeldPrompt } from '../../../core/drift.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { DiffReport, ServiceDiffReport } from '../../../features/diff/diff.ts'
import type { ImpactReport } from '../../../features/usage/impact.ts'
import { writeExact } from '../../../fs/files.ts'
import type { LockStore } from '../../../fs/lock-store.ts'
import type { CommandContext } from '../../args/command.ts'
import { printHeldSection } from '../../output/held-view.ts'
import { printImpact } from '../../output/impact-view.ts'
import { displayPath } from '../../command-project.ts'

/** The arguments of `prompts diff` that its report depends on. */
interface ReportInvocation extends Pick<CommandContext, 'cwd' | 'terminal'> {
  readonly values: {
    readonly unified: boolean
    readonly json: boolean
    readonly format: string | undefined
    readonly output: string | undefined
  }
}

/** The compared lock, and the impact on the app. */
interface Compared {
  readonly lock: LockStore
  readonly held: readonly HeldPrompt[]
  readonly impact: ImpactReport | undefined
  /** The git revision that it was compared with; otherwise the service. */
  readonly base?: string | undefined
}

/** Prints the changes, or writes them to the file of `--output`. */
export async function printReport(
  { changes, held = [], reads }: DiffReport & Partial<ServiceDiffReport>,
  { lock, impact, base }: Omit<Compared, 'held'>,
  invocation: ReportInvocation,
): Promise<void> {
  const { terminal, values } = invocation
  const changed = changes.filter(isChanged)
  if (values.output !== undefined)
    await writeReport(values.output, changed, { lock, impact, held }, invocation)
  else if (!values.json) await printChanges(changed, { lock, impact, held }, invocation)
  const { messages } = terminal
  if (values.format !== 'markdown') printHeldSection(held, messages)
  const path = displayPath(lock.path, invocation)
  const subject = base === undefined ? path : `${path} at ${sanitize(base)}`
  const same = base === undefined ? `${path} is up to date.` : `${subject} is the same.`
  const differ = `${formatCount(changed.length)} of ${formatCount(changes.length)} prompts differ from ${subject}.`
  const summary = changed.length === 0 ? same : differ
  if (changed.length + held.length > 0 || values.format === 'markdown') messages.line()
  const cost = reads === undefined ? '' : ` ${messages.dim(pluralize(reads, 'read'))}`
  messages.line(`${summary}${cost}`)
}

/** Writes the patches or the Markdown to a file, which is empty if nothing has changed. */
async function writeReport(
  output: string,
  changed: readonly PromptChange[],
  compared: Compared,
  { cwd, terminal, values }: ReportInvocation,
): Promise<void> {
  const path = resolve(cwd, output)
  const { unifiedPatches } = await import('../../output/unified.ts')
  const text = values.unified ? unifiedPatches(changed) : await markdownOf(changed, compared)
  await writeExact(path, text, cwd)
  terminal.messages.line(`Wrote ${displayPath(path, { cwd })}.`)
}

async function markdownOf(
  changed: readonly PromptChange[],
  { lock, impact, held }: Compared,
): Promise<string> {
  const { markdownReport } = await import('../../output/print-change-report.ts')
  return markdownReport({
    changes: changed,
    impact: impact?.findings,
    held,
    workspace: lock.workspace,
  })
}

/** Loads the diff library only if there are changes. */
async function printChanges(
  changed: readonly PromptChange[],
  compared: Compared,
  { terminal, values }: ReportInvocation,
): Promise<void> {
  if (values.format === 'markdown')
    return terminal.stdout.exactLine((await markdownOf(changed, compared)).trimEnd())
  if (changed.length === 0) return
  if (values.unified) {
    const { printUnified } = await import('../../output/unified.ts')
    printUnified(changed, terminal.stdout)
  } else {
    const { printDiff } = await import('./diff-view.ts')
    printDiff(changed, terminal)
  }
  if (compared.impact === undefined) return
  terminal.stdout.line()
  printImpact(compared.impact, terminal.stdout)
}
