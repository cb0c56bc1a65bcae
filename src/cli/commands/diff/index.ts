import {
  changedTexts,
  type ChangedText,
  type ChangeRow,
  withoutTexts,
} from '../../../core/change-row.ts'
import type { ImpactFinding } from '../../../core/impact.ts'
import { indexBySlug } from '../../../core/text/order.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { ServiceDiffReport } from '../../../features/diff/diff.ts'
import { codeOptions } from '../../project/analyse.ts'
import { defineProjectCommand, displayPath } from '../../project/project-command.ts'
import { writeOutput } from '../../project/write-output.ts'
import type { Command } from '../../shell/command.ts'
import { printHeldSection, printKept, printPatch } from '../../view/change-view.ts'
import { printImpact } from '../../view/impact-view.ts'
import { type DiffInvocation, diffOptions, type LockDiff, readLockDiff } from './lock-diff.ts'

/** One prompt of `prompts diff --json`. Texts are unescaped. */
export interface DiffPromptJson extends ChangeRow {
  /** The full text of the fields that differ. */
  readonly texts: readonly ChangedText[]
  /** The files that use the prompt, directly or through imports; `null` if the app can't be analysed. */
  readonly files: readonly string[] | null
}

/** `prompts diff --json`. With `--base` there is no `held`, `kept`, `unread`, `planStatus` and `reads`. */
export interface DiffJson extends Partial<Omit<ServiceDiffReport, 'changes' | 'unchanged'>> {
  /** Path of the lock, absolute. */
  readonly lock: string
  readonly prompts: readonly DiffPromptJson[]
  readonly unchanged: number
  /** Only with `--impact` or `--fail-on breaking`: code that would break. Reasons and messages may contain remote text. */
  readonly impact?: readonly ImpactFinding[]
}

/** `prompts diff`. */
export const diff: Command = defineProjectCommand({
  argument: { placeholder: '[slug…]', description: 'Compare only these prompts' },
  details: [
    'Compares the lock with the service, and writes nothing. --if-published shows what would change for code that uses the live versions if every staging version were live. --base shows what this branch changed, without a key or a request.',
    'A change is breaking if a line of the app stops compiling. --impact and --fail-on breaking type-check the app.',
    'On stdout, hidden characters have names and CI commands are escaped. --output writes the exact bytes.',
  ],
  options: { ...diffOptions, ...codeOptions },
  conflicts: [
    ['base', 'if-published'],
    ['json', 'format patch'],
    ['json', 'format markdown'],
  ],
  needs: [['output', 'format patch', 'format markdown']],
  examples: [
    ['prompts diff', 'everything that a pull would change'],
    ['prompts diff support-triage --format patch', 'one prompt, as a patch'],
    ['prompts diff --if-published --fail-on breaking', 'a gate before publishing'],
    ['prompts diff --impact', 'also the lines of the app that would break'],
    ['prompts diff --base origin/main', 'what this branch changes, without a key'],
    ['prompts diff --base origin/main --fail-on breaking', 'a gate for a pull request'],
    ['prompts diff --format patch --output prompts.patch', 'a patch that applies, in CI too'],
    ['prompts diff --impact --format markdown --output report.md', 'a comment for a pull request'],
  ],
  async run(invocation) {
    const { terminal, values, project } = invocation
    const lockDiff = await readLockDiff(invocation)
    terminal.json(diffJson(lockDiff, project.lock.path))
    await printReport(lockDiff, invocation)
    return isRefused(lockDiff, values) ? 3 : 0
  },
})

function diffJson({ report, rows, impact, usage }: LockDiff, lock: string): DiffJson {
  const { changes: _, ...service } = report
  const filesOf = usage && new Map(usage.prompts.map(({ slug, files }) => [slug, files]))
  const prompts = rows.map((row) => ({
    ...withoutTexts(row),
    texts: changedTexts(row.change),
    files: filesOf === undefined ? null : (filesOf.get(row.slug) ?? []),
  }))
  const code = impact && { impact: impact.findings }
  return { lock, prompts, ...service, ...code }
}

function isRefused({ rows, impact }: LockDiff, values: DiffInvocation['values']): boolean {
  const fails = {
    any: rows.length > 0,
    breaking: (impact?.findings.length ?? 0) > 0,
    cache: rows.some(({ effects }) => effects.some(({ kind }) => kind === 'cacheable-prefix')),
  }
  return values['fail-on'] !== undefined && fails[values['fail-on']]
}

/** Prints the changes, or writes them to the file of `--output`, which is empty if nothing has changed. */
async function printReport(lockDiff: LockDiff, invocation: DiffInvocation): Promise<void> {
  const { terminal, values } = invocation
  const { stdout, messages } = terminal
  const { rows, impact, report } = lockDiff
  const { held = [], kept = [], reads } = report
  const isMarkdown = values.format === 'markdown'
  const isChanged = rows.length > 0
  if (values.output !== undefined)
    await writeOutput(values.output, await textOf(lockDiff, invocation), invocation)
  else if (isMarkdown) stdout.exactLine((await textOf(lockDiff, invocation)).trimEnd())
  // Loads the diff library.
  else if (isChanged && values.format === 'patch')
    printPatch(await textOf(lockDiff, invocation), stdout)
  else if (isChanged && !terminal.isJson) {
    const { printDiff } = await import('../../view/diff-view.ts')
    printDiff(rows, stdout)
    if (impact !== undefined) printImpact(impact, stdout)
  }
  if (!isMarkdown) {
    printHeldSection(held, messages)
    printKept(kept, messages)
  }
  if (isChanged || held.length + kept.length > 0 || isMarkdown) messages.line()
  const cost = reads === undefined ? '' : ` ${messages.dim(pluralize(reads, 'read'))}`
  messages.line(summaryOf(lockDiff, invocation) + cost)
}

/** The Markdown, or the patches. */
async function textOf(
  { rows, impact, report: { held, kept } }: LockDiff,
  { project, values }: DiffInvocation,
): Promise<string> {
  if (values.format !== 'markdown') {
    const { unifiedPatches } = await import('../../view/diff-view.ts')
    return unifiedPatches(rows)
  }
  const { printChangeReport } = await import('../../view/print-change-report.ts')
  const { workspace } = project.lock
  return printChangeReport({ workspace, rows, held, kept, findings: impact?.findings })
}

function summaryOf(
  { rows, report: { unchanged, kept = [] } }: LockDiff,
  { cwd, project, values }: DiffInvocation,
): string {
  const path = displayPath(project.lock.path, { cwd })
  const length = indexBySlug(rows).size
  const all = pluralize(length + unchanged, 'prompt')
  const share = `${formatCount(length)} of ${all}`
  if (values['if-published']) {
    const what = length === 0 ? 'Nothing' : share
    return `${what} would change in the live view if every staging version were live.`
  }
  const { base } = values
  const subject = base === undefined ? path : `${path} at ${sanitize(base)}`
  if (length === 0 && base !== undefined) return `${subject} is the same.`
  if (length === 0) return `${path} is up to date${kept.length === 0 ? '' : ' with what was read'}.`
  return `${share} ${length === 1 ? 'differs' : 'differ'} from ${subject}.`
}
