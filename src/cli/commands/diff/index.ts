import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { Command, ExitCode } from '../../args/command.ts'
import { printHeldSection, printPatch } from '../../output/change-view.ts'
import { codeOptions, printImpact } from '../../output/impact-view.ts'
import { writeOutput } from '../../output/write-output.ts'
import { defineProjectCommand, displayPath } from '../../project-command.ts'
import { diffJson } from './json-diff.ts'
import { type DiffInvocation, diffOptions } from './options.ts'
import { type Comparison, readComparison } from './read-comparison.ts'

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
    const compared = await readComparison(invocation)
    invocation.terminal.json(diffJson(compared))
    await printReport(compared, invocation)
    return exitCodeOf(compared, invocation.values)
  },
})

function exitCodeOf({ rows, impact }: Comparison, values: DiffInvocation['values']): ExitCode {
  const fails = {
    any: rows.length > 0,
    breaking: (impact?.findings.length ?? 0) > 0,
    cache: rows.some(({ effects }) => effects.some(({ kind }) => kind === 'cacheable-prefix')),
  }
  return values['fail-on'] !== undefined && fails[values['fail-on']] ? 3 : 0
}

/** Prints the changes, or writes them to the file of `--output`, which is empty if nothing has changed. */
async function printReport(compared: Comparison, invocation: DiffInvocation): Promise<void> {
  const { terminal, values } = invocation
  const { rows } = compared
  const { held = [], reads } = compared.report
  if (values.output !== undefined)
    await writeOutput(values.output, await textOf(compared, values), invocation)
  else if (!terminal.isJson) await printChanges(compared, invocation)
  const { messages } = terminal
  const isMarkdown = values.format === 'markdown'
  if (!isMarkdown) printHeldSection(held, messages)
  if (rows.length + held.length > 0 || isMarkdown) messages.line()
  const cost = reads === undefined ? '' : ` ${messages.dim(pluralize(reads, 'read'))}`
  messages.line(summaryOf(compared, invocation) + cost)
}

function summaryOf(
  { lock, rows: { length }, report: { changes } }: Comparison,
  { cwd, values: { base } }: DiffInvocation,
): string {
  const path = displayPath(lock.path, { cwd })
  const subject = base === undefined ? path : `${path} at ${sanitize(base)}`
  if (length === 0) return base === undefined ? `${path} is up to date.` : `${subject} is the same.`
  const all = pluralize(changes.length, 'prompt')
  return `${formatCount(length)} of ${all} ${length === 1 ? 'differs' : 'differ'} from ${subject}.`
}

/** The patches or the Markdown. */
async function textOf(
  { lock: { workspace }, rows, impact, report: { held } }: Comparison,
  { format }: Pick<DiffInvocation['values'], 'format'>,
): Promise<string> {
  if (format === 'patch') return (await import('../../output/unified.ts')).unifiedPatches(rows)
  const { printChangeReport } = await import('../../output/print-change-report.ts')
  return printChangeReport({ rows, findings: impact?.findings, held, workspace })
}

/** Loads the diff library only if there are changes. */
async function printChanges(
  compared: Comparison,
  { terminal: { stdout }, values }: DiffInvocation,
): Promise<void> {
  const { rows, impact } = compared
  if (values.format === 'markdown')
    return stdout.exactLine((await textOf(compared, values)).trimEnd())
  if (rows.length === 0) return
  if (values.format === 'patch') {
    const { unifiedPatches } = await import('../../output/unified.ts')
    printPatch(unifiedPatches(rows), stdout)
  } else (await import('./diff-view.ts')).printDiff(rows, stdout)
  if (impact === undefined) return
  stdout.line()
  printImpact(impact, stdout)
}
