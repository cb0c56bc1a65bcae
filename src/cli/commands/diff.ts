import { dirname, join } from 'node:path'
import type { PromptChange } from '../../core/compare.ts'
import { counted } from '../../core/counted.ts'
import type { Lock } from '../../core/prompt.ts'
import { diffWorkspace, type DiffReport } from '../../diff.ts'
import { PromptsError } from '../../errors.ts'
import type { ImpactReport } from '../../impact.ts'
import { type LockFile, lockFile } from '../../io/lock-file.ts'
import { defaultLock } from '../../options.ts'
import type { Project } from '../../project.ts'
import { type Command, defineCommand, type Invocation } from '../command.ts'
import { everywhereOptions, projectOptions } from '../common-options.ts'
import { codeLocation, codeOptions, impactOfChanges, printImpact } from '../impact-view.ts'
import { diffJson } from '../json-diff.ts'
import { openCommandProject, serviceLabel, shownPath } from '../open.ts'
import { startProgress } from '../progress.ts'

const options = {
  unified: { type: 'flag', short: 'u', description: 'Print unified patches, as git and patch do' },
  impact: { type: 'flag', description: 'Type-check the app against it: what would stop working' },
  format: {
    type: 'choice',
    choices: ['text', 'markdown'],
    description: 'markdown is a comment for a pull request (default: text)',
  },
  ...codeOptions,
  ...projectOptions,
  ...everywhereOptions,
} as const

type DiffInvocation = Invocation<typeof options>

/** `prompts diff`. */
export const diff: Command = defineCommand({
  name: 'diff',
  summary: 'show what a pull would change, word by word',
  argument: {
    placeholder: '[slug…]',
    description: 'Compare only these prompts',
    most: Number.POSITIVE_INFINITY,
  },
  details: [
    'Compares the lock with what the service serves, and writes nothing. With --environment test and a test key it compares the live lock with staging: what publishing would change.',
  ],
  options,
  examples: [
    ['prompts diff', 'everything that a pull would change'],
    ['prompts diff support-triage --unified', 'one prompt, as a patch'],
    ['prompts diff --environment test', 'staging against the live lock'],
    ['prompts diff --impact', 'also the lines of the app that would stop working'],
    ['prompts diff --impact --format markdown > report.md', 'a comment for a pull request'],
  ],
  async run(invocation) {
    const { terminal, values } = invocation
    refuseContradictions(values)
    const project = await openCommandProject(invocation)
    const lock = lockToCompare(project, invocation)
    const before = await readWhole(lock)
    const report = await readDiff(project, before, invocation)
    const environment = { before: before.environment, after: project.options.environment }
    const impact = await readImpact(project, { before, report }, invocation)
    const json = diffJson(report, { environment, lock: lock.path })
    terminal.json({ ...json, ...(impact === undefined ? {} : { impact: impact.findings }) })
    await printReport(report, { lock, impact }, invocation)
    return 0
  },
})

/** Each is another form of the one output. */
function refuseContradictions({ unified, json, format }: DiffInvocation['values']): void {
  const forms = Object.entries({ unified, json, 'format markdown': format === 'markdown' })
  const [one, other] = forms.filter(([, chosen]) => chosen).map(([name]) => `--${name}`)
  if (one === undefined || other === undefined) return
  const problem = `${one} and ${other} exclude each other.`
  throw new PromptsError('USAGE', { problem, command: 'diff ' })
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
  { lock, options: { root, name } }: Project,
  { values }: DiffInvocation,
): LockFile {
  const isDefault = lock.path === join(root, defaultLock('test', name))
  if (values.environment !== 'test' || !isDefault) return lock
  return lockFile(join(dirname(lock.path), defaultLock('live', name)), root, name)
}

async function readWhole(lock: LockFile): Promise<Lock> {
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
  const { selects, concurrency } = project.options
  const slugs = positionals.length === 0 ? undefined : positionals
  const request = { before, selects, concurrency, slugs, onProgress }
  return project
    .withService((service) => diffWorkspace(service, request), { signal, onRetry })
    .finally(stop)
}

/** The lock that was compared, and what the app makes of it. */
interface Compared {
  readonly lock: LockFile
  readonly impact: ImpactReport | undefined
}

async function printReport(
  { changes, reads }: DiffReport,
  { lock, impact }: Compared,
  invocation: DiffInvocation,
): Promise<void> {
  const { terminal, values } = invocation
  const changed = changes.filter(({ kind }) => kind !== 'unchanged')
  if (!values.json) await printChanges(changed, { lock, impact }, invocation)
  const { words } = terminal
  const path = shownPath(lock.path, invocation)
  const said =
    changed.length === 0
      ? `${path} holds what the service serves.`
      : `${changed.length} of ${changes.length} prompts differ from ${path}.`
  words.line()
  words.line(`${said} ${words.style('dim', counted(reads, 'read'))}`)
}

/** Loads the library for text diffs only where there is something to be shown. */
async function printChanges(
  changed: readonly PromptChange[],
  { lock, impact }: Compared,
  { terminal, values }: DiffInvocation,
): Promise<void> {
  if (values.format === 'markdown') {
    const { markdownReport } = await import('../markdown-report.ts')
    return terminal.data.line(markdownReport(changed, impact, lock.workspace).trimEnd())
  }
  if (changed.length === 0) return
  if (values.unified) {
    const { printUnified } = await import('../unified.ts')
    printUnified(changed, terminal.data)
  } else {
    const { printDiff } = await import('../diff-view.ts')
    printDiff(changed, terminal)
  }
  if (impact === undefined) return
  terminal.data.line()
  printImpact(impact, terminal.data)
}
