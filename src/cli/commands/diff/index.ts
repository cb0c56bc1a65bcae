import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { Command } from '../../args/command.ts'
import { printHeldSection, printLockTitle, printPatch } from '../../output/change-view.ts'
import { codeOptions, printImpact } from '../../output/impact-view.ts'
import { writeOutput } from '../../output/write-output.ts'
import { defineProjectCommand, displayPath } from '../../project-command.ts'
import { diffJson, type DiffJson } from './json-diff.ts'
import { type DiffInvocation, diffOptions } from './options.ts'
import { type Comparison, readComparisons } from './read-comparison.ts'

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
    const [live, staging] = await readComparisons(invocation)
    const all = [live, staging].filter((compared) => compared !== undefined)
    const second = staging && { staging: diffJson(staging) }
    invocation.terminal.json({ ...diffJson(live), ...second } satisfies DiffJson)
    await printReport(all, invocation)
    return all.some((compared) => isRefused(compared, invocation.values)) ? 3 : 0
  },
})

function isRefused({ rows, impact }: Comparison, values: DiffInvocation['values']): boolean {
  const fails = {
    any: rows.length > 0,
    breaking: (impact?.findings.length ?? 0) > 0,
    cache: rows.some(({ effects }) => effects.some(({ kind }) => kind === 'cacheable-prefix')),
  }
  return values['fail-on'] !== undefined && fails[values['fail-on']]
}

/** Prints the changes, or writes them to the file of `--output`, which is empty if nothing has changed. */
async function printReport(all: readonly Comparison[], invocation: DiffInvocation): Promise<void> {
  const { terminal, values } = invocation
  if (values.output !== undefined)
    await writeOutput(values.output, await textOf(all, values), invocation)
  else if (!terminal.isJson) await printChanges(all, invocation)
  const { messages } = terminal
  const isMarkdown = values.format === 'markdown'
  const held = all.flatMap(({ report }) => report.held ?? [])
  if (!isMarkdown) printHeldSection(held, messages)
  if (all.some(({ rows }) => rows.length > 0) || held.length > 0 || isMarkdown) messages.line()
  for (const compared of all) {
    const { reads } = compared.report
    const cost = reads === undefined ? '' : ` ${messages.dim(pluralize(reads, 'read'))}`
    messages.line(summaryOf(compared, invocation) + cost)
  }
}

function summaryOf(
  { lock, rows: { length }, report: { changes, unchanged } }: Comparison,
  { cwd, values: { base } }: DiffInvocation,
): string {
  const path = displayPath(lock.path, { cwd })
  const subject = base === undefined ? path : `${path} at ${sanitize(base)}`
  if (length === 0) return base === undefined ? `${path} is up to date.` : `${subject} is the same.`
  const all = pluralize(changes.length + unchanged, 'prompt')
  return `${formatCount(length)} of ${all} ${length === 1 ? 'differs' : 'differ'} from ${subject}.`
}

/** The patches or the Markdown. */
async function textOf(
  all: readonly Comparison[],
  { format }: Pick<DiffInvocation['values'], 'format'>,
): Promise<string> {
  if (format === 'patch') {
    const { unifiedPatches } = await import('../../output/unified.ts')
    return all.map(({ rows }) => unifiedPatches(rows)).join('')
  }
  const { printChangeReports } = await import('../../output/print-change-report.ts')
  return printChangeReports(
    all.map(({ lock: { workspace }, rows, impact, report: { held } }) => ({
      workspace,
      rows,
      held,
      findings: impact?.findings,
    })),
  )
}

/** Loads the diff library only if there are changes. */
async function printChanges(
  all: readonly Comparison[],
  { terminal: { stdout }, values }: DiffInvocation,
): Promise<void> {
  if (values.format === 'markdown') return stdout.exactLine((await textOf(all, values)).trimEnd())
  const changed = all.filter(({ rows }) => rows.length > 0)
  if (changed.length === 0) return
  if (values.format === 'patch') return printPatch(await textOf(all, values), stdout)
  const { printDiff } = await import('./diff-view.ts')
  for (const [index, { rows, impact, environment }] of changed.entries()) {
    if (index > 0) stdout.line()
    if (all.length > 1) {
      printLockTitle(environment.after, stdout)
      stdout.line()
    }
    printDiff(rows, stdout)
    if (impact !== undefined) printImpact(impact, stdout)
  }
}
