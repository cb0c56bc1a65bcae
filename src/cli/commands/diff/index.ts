import type { Lock } from '../../../core/prompt.ts'
import { diffWorkspace, type DiffReport } from '../../../features/diff/diff.ts'
import { PromptsError } from '../../../errors/prompts-error.ts'
import type { ImpactReport } from '../../../features/usage/impact.ts'
import { type LockStore, createLockStore } from '../../../fs/lock-store.ts'
import type { Project } from '../../../features/project/project.ts'
import { type Command, defineCommand, type Invocation } from '../../args/command.ts'
import { globalOptions, projectOptions } from '../../args/common-options.ts'
import { printReport } from './diff-report.ts'
import { codeLocation, codeOptions, impactOfChanges } from '../../output/impact-view.ts'
import { diffJson } from './json-diff.ts'
import { openCommandProject, serviceLabel } from '../../command-project.ts'
import { startProgress } from '../../output/progress.ts'

const options = {
  unified: { type: 'flag', short: 'u', description: 'Print unified patches, as git and patch do' },
  impact: { type: 'flag', description: 'Type-check the app against it: what would stop working' },
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
    'Compares the lock with what the service serves, and writes nothing. With --environment test and a test key it compares the live lock with staging: what publishing would change.',
    'On stdout, hidden characters are shown by name, and a CI server gets no line that it takes for a command. Use --output where the bytes matter.',
  ],
  options,
  examples: [
    ['prompts diff', 'everything that a pull would change'],
    ['prompts diff support-triage --unified', 'one prompt, as a patch'],
    ['prompts diff --environment test', 'staging against the live lock'],
    ['prompts diff --impact', 'also the lines of the app that would stop working'],
    ['prompts diff --unified --output prompts.patch', 'a patch that applies, in CI too'],
    ['prompts diff --impact --format markdown --output report.md', 'a comment for a pull request'],
  ],
  async run(invocation) {
    const { terminal, values } = invocation
    assertCompatibleOptions(values)
    const project = await openCommandProject(invocation)
    const lock = lockToCompare(project, invocation)
    const before = await readLock(lock)
    const report = await readDiff(project, before, invocation)
    const environment = { before: before.environment, after: project.options.environment }
    const impact = await readImpact(project, { before, report }, invocation)
    const json = diffJson(report, { environment, lock: lock.path })
    terminal.json({ ...json, ...(impact === undefined ? {} : { impact: impact.findings }) })
    await printReport(report, { lock, impact }, invocation)
    return 0
  },
})

/** The output has one form, and only patches and Markdown go to a file. */
function assertCompatibleOptions({
  unified,
  json,
  format,
  output,
}: DiffInvocation['values']): void {
  const forms = Object.entries({ unified, json, 'format markdown': format === 'markdown' })
  const [one, other] = forms.filter(([, chosen]) => chosen).map(([name]) => `--${name}`)
  if (one !== undefined && other !== undefined)
    throw usage(`${one} and ${other} cannot be combined.`)
  if (output !== undefined && (one === undefined || json))
    throw usage('--output needs --unified or --format markdown.')
}

function usage(problem: string): PromptsError {
  return new PromptsError('USAGE', { problem, command: 'diff ' })
}

async function readImpact(
  project: Project,
  { before, report }: { readonly before: Lock; readonly report: DiffReport },
  invocation: DiffInvocation,
): Promise<ImpactReport | undefined> {
  const { values } = invocation
  if (!values.impact) return undefined
  return impactOfChanges(before, report.changes, codeLocation(project, invocation, values))
}

/** The project's lock; with `--environment test`, the live one. */
function lockToCompare(
  { lock, options: { root, name, liveLock } }: Project,
  { values }: DiffInvocation,
): LockStore {
  if (values.environment !== 'test' || liveLock === undefined) return lock
  return createLockStore(liveLock, root, name)
}

async function readLock(lock: LockStore): Promise<Lock> {
  const pinned = await lock.read()
  const { path, workspace } = lock
  if (pinned === undefined) throw new PromptsError('LOCK_MISSING', { path, workspace })
  return pinned
}

async function readDiff(
  project: Project,
  before: Lock,
  { terminal, signal, positionals }: DiffInvocation,
): Promise<DiffReport> {
  const progress = startProgress(terminal, `Reading ${serviceLabel(project)}`)
  const { onProgress, onRetry, stop } = progress
  const { isSelected, concurrency } = project.options
  const slugs = positionals.length === 0 ? undefined : positionals
  const request = { before, isSelected, concurrency, slugs, onProgress }
  return project
    .withService((service) => diffWorkspace(service, request), { signal, onRetry })
    .finally(stop)
}
