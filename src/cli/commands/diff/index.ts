import {
  changedTexts,
  type ChangedText,
  type ChangeRow,
  withoutTexts,
} from '../../../core/change-row.ts'
import type { ImpactFinding } from '../../../core/impact.ts'
import type { Environment } from '../../../core/prompt.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { ServiceDiffReport } from '../../../features/diff/diff.ts'
import type { Command } from '../../args/command.ts'
import { printHeldSection, printLockTitle, printPatch } from '../../output/change-view.ts'
import type { Channel } from '../../output/channel.ts'
import { codeOptions, printImpact } from '../../output/impact-view.ts'
import { writeOutput } from '../../output/write-output.ts'
import { defineProjectCommand, displayPath } from '../../project-command.ts'
import { type DiffInvocation, diffOptions, type LockDiff, readLockDiffs } from './lock-diff.ts'

/** One prompt of `prompts diff --json`. Texts are unescaped. */
export interface DiffPromptJson extends ChangeRow {
  /** The full text of the fields that differ. */
  readonly texts: readonly ChangedText[]
  /** The files that use the prompt, directly or through imports; `null` if the app can't be analysed. */
  readonly files: readonly string[] | null
}

/** `prompts diff --json`. With `--base` there is no `held`, `unread`, `planStatus` and `reads`. */
export interface DiffJson extends Partial<Omit<ServiceDiffReport, 'changes' | 'unchanged'>> {
  /** The environments of the lock and of the service. */
  readonly environment: { readonly before: Environment; readonly after: Environment }
  /** Path of the lock, absolute. */
  readonly lock: string
  readonly prompts: readonly DiffPromptJson[]
  readonly unchanged: number
  /** Only with `--impact` or `--fail-on breaking`: code that would break. Reasons and messages may contain remote text. */
  readonly impact?: readonly ImpactFinding[]
  /** The same for the test lock, with `--base` if there are two locks. */
  readonly staging?: DiffJson
}

/** `prompts diff`. */
export const diff: Command = defineProjectCommand({
  argument: { placeholder: '[slug…]', description: 'Compare only these prompts' },
  details: [
    'Compares the lock with the service, and writes nothing. With a test key, --environment test compares the live lock with staging. --base shows what this branch changed, without a key or a request.',
    'A change is breaking if a line of the app stops compiling. --impact and --fail-on breaking type-check the app.',
    'On stdout, hidden characters have names and CI commands are escaped. --output writes the exact bytes.',
  ],
  options: { ...diffOptions, ...codeOptions },
  conflicts: [
    ['json', 'format patch'],
    ['json', 'format markdown'],
  ],
  needs: [['output', 'format patch', 'format markdown']],
  examples: [
    ['prompts diff', 'everything that a pull would change'],
    ['prompts diff support-triage --format patch', 'one prompt, as a patch'],
    ['prompts diff --environment test', 'staging against the live lock'],
    ['prompts diff --impact', 'also the lines of the app that would break'],
    ['prompts diff --base origin/main', 'what this branch changes, without a key'],
    ['prompts diff --base origin/main --fail-on breaking', 'a gate for a pull request'],
    ['prompts diff --format patch --output prompts.patch', 'a patch that applies, in CI too'],
    ['prompts diff --impact --format markdown --output report.md', 'a comment for a pull request'],
  ],
  async run(invocation) {
    const { terminal, values } = invocation
    const [live, staging] = await readLockDiffs(invocation)
    const second = staging && { staging: diffJson(staging) }
    terminal.json({ ...diffJson(live), ...second } satisfies DiffJson)
    const diffs = staging ? [live, staging] : [live]
    await printReport(diffs, invocation)
    return diffs.some((lockDiff) => isRefused(lockDiff, values)) ? 3 : 0
  },
})

function diffJson({ environment, lock, report, rows, impact, usage }: LockDiff): DiffJson {
  const { changes, unchanged: same, ...service } = report
  const filesOf = usage && new Map(usage.prompts.map(({ slug, files }) => [slug, files]))
  const prompts = rows.map((row) => ({
    ...withoutTexts(row),
    texts: changedTexts(row.change),
    files: filesOf === undefined ? null : (filesOf.get(row.slug) ?? []),
  }))
  const unchanged = same + changes.length - rows.length
  const code = impact && { impact: impact.findings }
  return { environment, lock: lock.path, prompts, unchanged, ...service, ...code }
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
async function printReport(diffs: readonly LockDiff[], invocation: DiffInvocation): Promise<void> {
  const { terminal, values } = invocation
  const { stdout, messages } = terminal
  const isMarkdown = values.format === 'markdown'
  const isChanged = diffs.some(({ rows }) => rows.length > 0)
  if (values.output !== undefined)
    await writeOutput(values.output, await textOf(diffs, isMarkdown), invocation)
  else if (isMarkdown) stdout.exactLine((await textOf(diffs, true)).trimEnd())
  // Loads the diff library.
  else if (isChanged && values.format === 'patch') printPatch(await textOf(diffs, false), stdout)
  else if (isChanged && !terminal.isJson) await printDiffs(diffs, stdout)
  const held = diffs.flatMap(({ report }) => report.held ?? [])
  if (!isMarkdown) printHeldSection(held, messages)
  if (isChanged || held.length > 0 || isMarkdown) messages.line()
  for (const lockDiff of diffs) {
    const { reads } = lockDiff.report
    const cost = reads === undefined ? '' : ` ${messages.dim(pluralize(reads, 'read'))}`
    messages.line(summaryOf(lockDiff, invocation) + cost)
  }
}

/** The Markdown, or the patches. */
async function textOf(diffs: readonly LockDiff[], isMarkdown: boolean): Promise<string> {
  if (!isMarkdown) {
    const { unifiedPatches } = await import('./diff-view.ts')
    return diffs.map(({ rows }) => unifiedPatches(rows)).join('')
  }
  const { printChangeReports } = await import('../../output/print-change-report.ts')
  return printChangeReports(
    diffs.map(({ lock: { workspace }, rows, impact, report: { held } }) => ({
      workspace,
      rows,
      held,
      findings: impact?.findings,
    })),
  )
}

async function printDiffs(diffs: readonly LockDiff[], stdout: Channel): Promise<void> {
  const { printDiff } = await import('./diff-view.ts')
  const changed = diffs.filter(({ rows }) => rows.length > 0)
  for (const [index, { rows, impact, environment }] of changed.entries()) {
    if (index > 0) stdout.line()
    if (diffs.length > 1) {
      printLockTitle(environment.after, stdout)
      stdout.line()
    }
    printDiff(rows, stdout)
    if (impact !== undefined) printImpact(impact, stdout)
  }
}

function summaryOf(
  { lock, rows: { length }, report: { changes, unchanged } }: LockDiff,
  { cwd, values: { base } }: DiffInvocation,
): string {
  const path = displayPath(lock.path, { cwd })
  const subject = base === undefined ? path : `${path} at ${sanitize(base)}`
  if (length === 0) return base === undefined ? `${path} is up to date.` : `${subject} is the same.`
  const all = pluralize(changes.length + unchanged, 'prompt')
  return `${formatCount(length)} of ${all} ${length === 1 ? 'differs' : 'differ'} from ${subject}.`
}
