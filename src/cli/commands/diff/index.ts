import { applyChanges } from '../../../core/compare.ts'
import { classifyChanges } from '../../../core/classify-change.ts'
import type { DiffReport } from '../../../features/diff/diff.ts'
import type { Project } from '../../../features/project/project.ts'
import type { ImpactReport } from '../../../features/usage/impact.ts'
import { findUsage, type UsageReport } from '../../../features/usage/usage.ts'
import { usageError } from '../../../errors/usage-error.ts'
import { type Command, defineCommand, type ExitCode, type Invocation } from '../../args/command.ts'
import { globalOptions, projectOptions } from '../../args/common-options.ts'
import { openCommandProject } from '../../command-project.ts'
import { codeLocation, codeOptions, impactOfChanges } from '../../output/impact-view.ts'
import { printReport } from './diff-report.ts'
import { diffJson } from './json-diff.ts'
import { type Comparison, readComparison } from './read-comparison.ts'

const options = {
  unified: { type: 'flag', short: 'u', description: 'Print unified patches, as git and patch do' },
  base: {
    type: 'text',
    placeholder: 'revision',
    description: 'Compare with the lock of a git revision instead of the service',
  },
  impact: { type: 'flag', description: 'Type-check the app: show the code that would break' },
  usage: { type: 'flag', description: 'With --json: the files that use each changed prompt' },
  'exit-code': { type: 'flag', description: 'Exit with 3 if there is a difference' },
  'fail-on': {
    type: 'choice',
    choices: ['breaking'],
    description: 'Exit with 3 only if a change can break the app',
  },
  format: {
    type: 'choice',
    choices: ['text', 'markdown'],
    description: 'markdown is a comment for a pull request (default: text)',
  },
  output: {
    type: 'text',
    placeholder: 'file',
    description: 'Write the patches or the Markdown to a file, byte for byte',
  },
  ...codeOptions,
  ...projectOptions,
  ...globalOptions,
} as const

type DiffInvocation = Invocation<typeof options>

/** `prompts diff`. */
export const diff: Command = defineCommand({
  name: 'diff',
  argument: {
    placeholder: '[slug…]',
    description: 'Compare only these prompts',
    maxCount: Number.POSITIVE_INFINITY,
  },
  details: [
    'Compares the lock with what the service serves, and writes nothing. With --environment test and a test key it compares the live lock with staging: what publishing would change. With --base it compares the lock in git with the lock on disk, without a key or a request.',
    'A change is breaking if a variable is new or renamed or a prompt is removed; with --impact, if a line of the app stops compiling.',
    'On stdout, hidden characters are shown by name and CI commands are escaped. Use --output for exact bytes.',
  ],
  options,
  conflicts: [
    ['unified', 'json'],
    ['unified', 'format markdown'],
    ['json', 'format markdown'],
  ],
  needs: [['usage', 'json']],
  examples: [
    ['prompts diff', 'everything that a pull would change'],
    ['prompts diff support-triage --unified', 'one prompt, as a patch'],
    ['prompts diff --environment test', 'staging against the live lock'],
    ['prompts diff --impact', 'also the lines of the app that would break'],
    ['prompts diff --base origin/main', 'what this branch changes, without a key'],
    ['prompts diff --base origin/main --fail-on breaking', 'a gate for a pull request'],
    ['prompts diff --unified --output prompts.patch', 'a patch that applies, in CI too'],
    ['prompts diff --impact --format markdown --output report.md', 'a comment for a pull request'],
  ],
  async run(invocation) {
    const { terminal, values } = invocation
    if (values.output !== undefined && !values.unified && values.format !== 'markdown')
      throw usageError('--output needs --unified or --format markdown.', 'diff')
    const project = await openCommandProject(invocation)
    const compared = await readComparison(project, invocation)
    const { lock, report, environment } = compared
    const impact = await readImpact(project, compared, invocation)
    const used = await readUsage(project, compared, invocation)
    const json = diffJson(report, { environment, lock: lock.path }, used)
    terminal.json({ ...json, ...(impact === undefined ? {} : { impact: impact.findings }) })
    await printReport(report, { lock, impact, base: values.base }, invocation)
    return exitCodeOf(report, impact, values)
  },
})

function exitCodeOf(
  { changes }: DiffReport,
  impact: ImpactReport | undefined,
  values: DiffInvocation['values'],
): ExitCode {
  const classified = classifyChanges(changes)
  const isBreaking =
    impact === undefined
      ? classified.some((change) => change.class === 'breaking')
      : impact.findings.length > 0
  const fails = values['fail-on'] === 'breaking' ? isBreaking : classified.length > 0
  return fails && (values['exit-code'] || values['fail-on'] !== undefined) ? 3 : 0
}

async function readImpact(
  project: Project,
  { before, report }: Comparison,
  invocation: DiffInvocation,
): Promise<ImpactReport | undefined> {
  const { values } = invocation
  if (!values.impact) return undefined
  return impactOfChanges(before, report.changes, codeLocation(project, invocation, values))
}

/** The uses of the prompts of both snapshots. Without a change, the app is not analysed. */
async function readUsage(
  project: Project,
  { before, report }: Comparison,
  invocation: DiffInvocation,
): Promise<UsageReport | undefined> {
  const { values } = invocation
  if (!values.usage || classifyChanges(report.changes).length === 0) return undefined
  const kept = report.changes.filter(({ kind }) => kind !== 'removed')
  const lock = { ...before, prompts: applyChanges(before.prompts, kept) }
  return findUsage({ ...codeLocation(project, invocation, values), lock })
}
