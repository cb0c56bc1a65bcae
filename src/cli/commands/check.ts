/**
 * Runs the steps of a check and makes one answer of them: {@link CheckJson}. It is printed as text, and for
 * GitHub as annotations too.
 */
import { join } from 'node:path'
import type { ImpactReport } from '../../judge/analyse-impact.ts'
import { describeImpact } from '../../core/describe-change.ts'
import { IMPACT_TEXTS, type ImpactFinding } from '../../core/impact.ts'
import type { Environment } from '../../core/prompt.ts'
import { DEFAULT_WORKSPACE, formatCommand } from '../../core/workspace-name.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { asPromptsError, isPromptsError, type PromptsError } from '../../errors/prompts-error.ts'
import {
  check as checkProject,
  type CheckReport,
  type Finding,
  findingsOf,
  type FinishedStep,
  listSteps,
  ok,
  STEP_TITLES,
  type StepName,
  type StepResult,
  type StepState,
} from '../../features/check/check.ts'
import { checkSetup } from '../../features/check/setup.ts'
import type { Project } from '../../features/project/project.ts'
import { relativeInside, toForwardSlashes } from '../../fs/paths.ts'
import { codeOptions, findImpact } from '../project/analyse.ts'
import { projectOptions } from '../project/options.ts'
import { withProgress } from '../project/progress.ts'
import { openCommandProject, resolveRoot, serviceLabel } from '../project/project-command.ts'
import {
  type Command,
  type CommandContext,
  defineCommand,
  type ExitCode,
  type Invocation,
} from '../shell/command.ts'
import type { Channel, Format, Terminal } from '../shell/terminal.ts'
import { printHeldSection, printImpact, printKept, printUnheldEdits } from '../view/change-view.ts'
import type { ErrorJson } from '../view/json.ts'
import { errorJson, printError } from '../view/report-error.ts'

/** `prompts check --json`. */
export interface CheckJson extends Pick<CheckReport, 'held' | 'kept'>, Partial<ErrorJson> {
  /** Whether the exit code is 0. */
  readonly ok: boolean
  /** In order. With `--all`, those that depend on unusable options are left out. */
  readonly steps: readonly StepJson[]
  /** The view that `virtual:prompts` serves; `null` if the options can't be read. */
  readonly environment: Environment | null
  /** Number of prompts in the lock; `null` if it can't be read. */
  readonly prompts: number | null
  readonly findings: readonly Finding[]
  /**
   * Only with `--impact` or `--all`: code that does not compile with the lock, or was not checked. Reasons and
   * messages may contain remote text.
   */
  readonly impact?: readonly ImpactFinding[]
  /** Only with `--all`: files that import prompts, and that no tsconfig has although the app has one. They were checked. */
  readonly strays?: readonly string[]
  /** Number of retried requests. */
  readonly retries: number
}

/** A step of `prompts check --json`. */
interface StepJson {
  readonly name: StepName
  readonly state: StepState
  /** Sanitized, except for its own line breaks. */
  readonly message: string
  /** What to do, if there is something. */
  readonly fix?: string
  /** Set if an error was raised. */
  readonly code?: string
}

const options = {
  offline: { description: 'Do not ask the service; needs no key' },
  impact: { description: 'Type-check the app: lines that do not compile with the lock fail' },
  all: { description: 'Also check the setup and the app: everything that can be wrong' },
  ...codeOptions,
  'fail-on': {
    choices: ['edited'],
    description: 'Exit with 3 if the text of a prompt was edited here',
  },
  format: {
    choices: ['text', 'github'],
    description: 'github marks lines of lock and code in a pull request (default: text)',
  },
  ...projectOptions,
} as const

type CheckInvocation = Invocation<typeof options>

/** `prompts check`. */
export const check: Command = defineCommand({
  details: [
    'Checks the lock, the options, the generated files, and whether the service still serves the pinned prompts. Asking the service takes one list request for each key; only a `service` of your own also fetches what differs.',
    'With --all also Node, the installation, options, URL, key, git and the code that uses prompts. Keys are masked.',
    'Exits with 1 for errors, and with 3 if the service has updates or something is out of date.',
  ],
  options,
  conflicts: [['format github', 'json']],
  examples: [
    ['prompts check --offline --impact', 'on every push, without a key'],
    ['prompts check', 'also against the service'],
    ['prompts check --all', 'find out what is wrong with the setup'],
    ['prompts check --format github', 'on GitHub, with annotations'],
  ],
  async run(invocation) {
    const { terminal } = invocation
    const result = await runSteps(invocation)
    const exitCode = exitCodeOf(result.steps)
    terminal.json({ ok: exitCode === 0, ...checkJson(result, invocation) } satisfies CheckJson)
    if (!terminal.isJson) printResult(result, invocation)
    return exitCode
  },
})

/** What a check has found, of the project and of its app. */
interface CheckResult extends CheckReport {
  /** The app's folder, which the places of `impact` are relative to, absolute; empty if nothing was checked. */
  readonly root: string
  readonly environment: CheckJson['environment']
  /** What of the app does not compile with the lock, with `--impact` or `--all`. */
  readonly impact: ImpactReport | undefined
  /** Number of retried requests. */
  readonly retries: number
}

async function runSteps(invocation: CheckInvocation): Promise<CheckResult> {
  const { terminal, signal, values } = invocation
  const project = await openWithApps(invocation).catch(asPromptsError)
  if (isPromptsError(project) && !values.all) throw project
  const setup = values.all ? await checkSetup(await resolveRoot(invocation), project) : []
  if (isPromptsError(project)) return { ...NOTHING_CHECKED, steps: setup }
  const isOffline = values.offline || (values.all && !project.options.canRead)
  const label = isOffline ? 'Checking' : `Checking against ${serviceLabel(project)}`
  const request = { isOffline, failOn: values['fail-on'], needsNoLock: values.all, signal }
  const report = await withProgress(terminal, label, async ({ onProgress, retries }) => {
    const checked = await checkProject(project, { ...request, onProgress })
    return { ...checked, retries: retries() }
  })
  const { lock } = report
  const after = values.impact || values.all ? lock : undefined
  // A preview serves another view than the declarations have.
  const context = { ...invocation, project, view: 'served' } as const
  const impact =
    after && (await findImpact(context, { before: undefined, after }).catch(asPromptsError))
  const code = listSteps({ code: impact && checkCode(impact) })
  const steps = [...setup, ...report.steps, ...code]
  const { root, served } = project.options
  const compiled = isPromptsError(impact) ? undefined : impact
  return { ...report, root, environment: served.environment, steps, impact: compiled }
}

/** A check without usable options. */
const NOTHING_CHECKED = {
  root: '',
  environment: null,
  lock: undefined,
  held: [],
  kept: [],
  impact: undefined,
  retries: 0,
} as const

/** Opens the project; fails also if another app does not fit it. */
async function openWithApps(invocation: CheckInvocation): Promise<Project> {
  const project = await openCommandProject(invocation)
  await project.apps()
  return project
}

function checkCode(impact: ImpactReport | PromptsError): StepResult {
  if (isPromptsError(impact)) return { state: 'error', error: impact }
  const { findings, files } = impact
  if (findings.length === 0 && files === 0) return ok(IMPACT_TEXTS.unused)
  const message = describeImpact(impact)
  return findings.some(({ kind }) => kind === 'compile')
    ? { state: 'warning', message }
    : ok(message)
}

/** A check as JSON, with the first error of a step. */
function checkJson(
  { environment, steps, lock, held, kept, impact, retries }: CheckResult,
  { values }: CheckInvocation,
): Omit<CheckJson, 'ok'> {
  const [error] = errorsOf(steps)
  return {
    steps: steps.map(stepJson),
    environment,
    prompts: lock === undefined ? null : indexBySlug(lock.parts).size,
    findings: findingsOf(steps),
    held,
    kept,
    retries,
    ...(error && errorJson(error)),
    ...(impact && { impact: impact.findings }),
    ...(values.all && { strays: impact?.strays ?? [] }),
  }
}

function errorsOf(steps: readonly FinishedStep[]): PromptsError[] {
  return steps.flatMap((step) => ('error' in step ? step.error : []))
}

function stepJson(step: FinishedStep): StepJson {
  const { name, state } = step
  if (!('error' in step)) {
    const { message, fix } = step
    return { name, state, message, ...(fix !== undefined && { fix }) }
  }
  const { code, why, fix, causes } = errorJson(step.error).error
  const message = [why, ...causes.map((cause) => `Cause: ${cause}`)].join('\n')
  return { name, state, message, fix, code }
}

function exitCodeOf(steps: readonly FinishedStep[]): ExitCode {
  const states = new Set(steps.map(({ state }) => state))
  if (states.has('error')) return 1
  return states.has('warning') ? 3 : 0
}

function printResult(result: CheckResult, invocation: CheckInvocation): void {
  const { terminal, values } = invocation
  const { steps, impact } = result
  const isGithub = values.format === 'github'
  const channel = isGithub ? terminal.messages : terminal.stdout
  printSteps(steps, channel, terminal)
  printFindings(result, channel, terminal)
  const annotations = isGithub ? annotationLines(result, invocation) : []
  for (const line of annotations) terminal.raw(`${line}\n`)
  // The updates that the findings list may break the app; this is about what is pinned.
  if (impact !== undefined && impact.findings.length + impact.ignored.length > 0)
    printImpact(impact, channel)
  if (values.all) printStrays(impact?.strays ?? [], channel)
  for (const error of errorsOf(steps)) {
    terminal.errors.line()
    printError(error, terminal)
    if (error.code !== 'KEY_MISSING') continue
    const command = formatCommand(values.name ?? DEFAULT_WORKSPACE, 'check --offline')
    terminal.errors.line(`  Or check without the service: \`${command}\`.`)
  }
}

/** Prints the files that neither a bundler nor `tsc` may know. */
function printStrays(files: readonly string[], channel: Channel): void {
  const rows = files.map((file) => [sanitize(file)])
  channel.section(
    `${pluralize(files.length, 'file')} with imports of prompts in no tsconfig.json:`,
    rows,
  )
  if (files.length > 0) channel.line(channel.dim(STRAYS))
}

const STRAYS =
  'This check compiled them; `tsc` does not. If Node runs one, pass it --import unplugin-prompts/register.'

/** Prints the steps, one line each. Several findings are only counted. */
function printSteps(
  steps: readonly FinishedStep[],
  channel: Channel,
  { suggest }: Pick<Terminal, 'suggest'>,
): void {
  const rows = steps.map((step) => [
    channel.mark(step.state, STEP_TITLES[step.name]),
    channel.dim(suggest(summaryOf(step))),
  ])
  channel.rows(rows)
}

function summaryOf(step: FinishedStep): string {
  if ('error' in step) return 'check failed'
  const count = step.findings?.length ?? 0
  return count > 1 ? pluralize(count, step.state) : step.message
}

/** Prints the findings with their positions, and each fix once. */
function printFindings(
  { steps, lock, held, kept }: CheckResult,
  channel: Channel,
  { messages, suggest }: Terminal,
): void {
  const rows = findingsOf(steps).map(({ kind, severity, file, line, message }) => [
    channel.style(SEVERITIES[severity], severity),
    channel.dim(suggest(file) + (kind.endsWith('-missing') ? '' : `:${line}`)),
    suggest(message),
  ])
  if (rows.length > 0) channel.line()
  channel.rows(rows)
  printHeldSection(held, channel)
  printUnheldEdits(lock?.parts ?? [], channel)
  printKept(kept, channel)
  const fixes = new Set(steps.flatMap(fixesOf))
  if (fixes.size > 0) messages.line()
  for (const fix of fixes) messages.line(messages.fix(fix))
}

function fixesOf(step: FinishedStep): readonly string[] {
  if ('error' in step) return []
  return step.findings?.map(({ fix }) => fix) ?? (step.fix === undefined ? [] : [step.fix])
}

const SEVERITIES: Readonly<Record<Finding['severity'], Format>> = {
  error: 'red',
  warning: 'yellow',
}

type Around = Pick<CommandContext, 'cwd' | 'env'>

/**
 * Findings as GitHub's workflow commands, one line each: they show up at their lines in the pull
 * request.
 *
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function annotationLines(
  { steps, impact, root }: Pick<CheckResult, 'steps' | 'impact' | 'root'>,
  context: Around,
): string[] {
  const lines = findingsOf(steps).map(({ file, line, message, fix }) => {
    const place = { file: repositoryPath(file, context), line: String(line) }
    return errorCommand({ ...place, title: 'Prompts' }, `${message}\n${fix}`)
  })
  const failures = errorsOf(steps).map(({ why, fix }) =>
    errorCommand({ title: 'Prompts: check failed' }, `${why}\n${fix}`),
  )
  const broken = impact?.findings.filter(({ kind }) => kind === 'compile') ?? []
  const places = broken.map(({ file, line, column, slug, reason }) => {
    const at = { line: String(line), col: String(column), title: 'Prompts: does not compile' }
    const message = slug === null ? reason : `${slug}: ${reason}`
    return errorCommand({ file: repositoryPath(join(root, file), context), ...at }, message)
  })
  return [...lines, ...places, ...failures]
}

function errorCommand(properties: Readonly<Record<string, string>>, message: string): string {
  const pairs = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`)
  return `::error ${pairs.join(',')}::${escapeData(message)}`
}

/** Line ends of our own messages stay, encoded; remote ones were never meant to be any. */
function escapeData(text: string): string {
  return text.split('\n').map(sanitize).join('\n').replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** GitHub knows files by their path from the repository's root, with forward slashes. */
function repositoryPath(file: string, { cwd, env }: Around): string {
  const workspace = env['GITHUB_WORKSPACE'] ?? ''
  const way = relativeInside(workspace === '' ? cwd : workspace, file)
  return way === undefined ? file : toForwardSlashes(way)
}
