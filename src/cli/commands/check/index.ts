/**
 * Checks the lock, or both of them, and makes one answer of it: {@link CheckJson}. It is printed as text, or
 * for GitHub as annotations and a job summary.
 */
import type { ImpactFinding } from '../../../core/impact.ts'
import type { Environment } from '../../../core/prompt.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import { formatCommand } from '../../../errors/suggested-command.ts'
import {
  check as checkProject,
  type CheckReport,
  type Finding,
} from '../../../features/check/check.ts'
import type { ImpactReport } from '../../../analysis/app/analyse-impact.ts'
import { findImpact } from '../../../features/usage/impact.ts'
import type { Command, ExitCode } from '../../args/command.ts'
import { printHeldSection, printReleasedEdits } from '../../output/change-view.ts'
import type { Format } from '../../output/channel.ts'
import { annotationLines, writeJobSummary } from '../../output/github.ts'
import { codeLocation, codeOptions, printImpact } from '../../output/impact-view.ts'
import type { ErrorJson, StepJson } from '../../output/json.ts'
import { startProgress } from '../../output/progress.ts'
import { errorJson, printError } from '../../output/report-error.ts'
import { printShort, stepJson } from '../../output/step-view.ts'
import {
  defineProjectCommand,
  displayPath,
  type ProjectInvocation,
  projectsOfLocks,
  serviceLabel,
} from '../../project-command.ts'

/** `prompts check --json`. */
export interface CheckJson
  extends Pick<CheckReport, 'findings' | 'held' | 'drafts'>, Partial<ErrorJson> {
  /** Whether the exit code is 0. */
  readonly ok: boolean
  /** In order. */
  readonly steps: readonly StepJson[]
  /** `null` if the lock can't be read. */
  readonly environment: Environment | null
  /** Number of prompts in the lock; `null` if it can't be read. */
  readonly prompts: number | null
  /** Only with `--impact`: code that does not compile with the lock. Reasons and messages may contain remote text. */
  readonly impact?: readonly ImpactFinding[]
  /** Number of retried requests. */
  readonly retries: number
  /** The check of the test lock, if there are two locks. */
  readonly staging?: CheckJson
}

const options = {
  offline: { description: 'Do not ask the service; needs no key' },
  impact: { description: 'Type-check the app: lines that do not compile with the lock fail' },
  ...codeOptions,
  'fail-on': {
    choices: ['edited'],
    description: 'Exit with 3 if the text of a prompt was edited here',
  },
  format: {
    choices: ['text', 'github'],
    description: 'github marks lines of the lock in a pull request (default: text)',
  },
} as const

type CheckInvocation = ProjectInvocation<typeof options>

/** `prompts check`. */
export const check: Command = defineProjectCommand({
  details: [
    'Checks the lock, the options, the generated files, and whether the service still serves the pinned prompts. Asking the service takes one list request and no metered read.',
    'Exits with 1 for errors, and with 3 if the service has updates or a generated file is out of date.',
  ],
  options,
  conflicts: [['format github', 'json']],
  examples: [
    ['prompts check --offline', 'on every push, without a key'],
    ['prompts check', 'also against the service'],
    ['prompts check --offline --impact', 'also that the app compiles with the lock'],
    ['prompts check --format github', 'nightly, with annotations and a job summary'],
  ],
  async run(invocation) {
    const { terminal } = invocation
    const [project, second] = await projectsOfLocks(invocation)
    const hasKey = [project, second].some((one) => one?.options.apiKey !== undefined)
    const first = await checkLock({ ...invocation, project }, hasKey)
    const other = second && (await checkLock({ ...invocation, project: second }, hasKey, true))
    const checks = other ? [first, other] : [first]
    const exitCode = exitCodeOf(checks)
    const staging = other && { staging: checkJson(other) }
    terminal.json({ ...checkJson(first), ...staging, ok: exitCode === 0 } satisfies CheckJson)
    for (const [index, { report }] of terminal.isJson ? [] : checks.entries()) {
      if (index > 0) terminal.stdout.line()
      await printReport(report, invocation)
    }
    if (first.impact !== undefined) printImpact(first.impact, terminal.stdout)
    return exitCode
  },
})

/** The check of one lock. */
interface LockCheck {
  readonly report: CheckReport
  /** What of the app does not compile with the lock, with `--impact`. */
  readonly impact: ImpactReport | undefined
  /** Number of retried requests. */
  readonly retries: number
}

/**
 * Checks one lock. Of two locks, one without a key is checked offline, and the app is type-checked with the
 * first.
 */
async function checkLock(
  invocation: CheckInvocation,
  hasKey: boolean,
  isSecond = false,
): Promise<LockCheck> {
  const { project, terminal, signal, values } = invocation
  const isOffline = values.offline || (hasKey && project.options.apiKey === undefined)
  const label = isOffline ? 'Checking' : `Checking against ${serviceLabel(project)}`
  const { onProgress, retries, stop } = startProgress(terminal, label)
  const request = { isOffline, isSecond, failOn: values['fail-on'], signal, onProgress }
  const report = await checkProject(project, request).finally(stop)
  const { lock } = report
  const impact =
    values.impact && !isSecond && lock !== undefined
      ? await findImpact({ ...(await codeLocation(invocation)), before: undefined, after: lock })
      : undefined
  return { report, impact, retries: retries() }
}

/** A check as JSON, with `error` if the service check failed. */
function checkJson(lockCheck: LockCheck): CheckJson {
  const { report, impact, retries } = lockCheck
  const { findings, steps, lock, failure, held, drafts } = report
  return {
    ok: exitCodeOf([lockCheck]) === 0,
    steps: steps.map(stepJson),
    environment: lock?.environment ?? null,
    prompts: lock?.prompts.length ?? null,
    findings,
    held,
    drafts,
    retries,
    ...(failure && errorJson(failure)),
    ...(impact && { impact: impact.findings }),
  }
}

function exitCodeOf(checks: readonly LockCheck[]): ExitCode {
  const states = new Set(checks.flatMap(({ report }) => report.steps.map(({ state }) => state)))
  if (states.has('error')) return 1
  const breaks = checks.flatMap(({ impact }) => impact?.findings ?? [])
  return states.has('warning') || breaks.length > 0 ? 3 : 0
}

async function printReport(report: CheckReport, invocation: CheckInvocation): Promise<void> {
  const { terminal, values, project } = invocation
  const { failure } = report
  if (values.format === 'github') {
    printShort(report.steps, terminal.messages)
    for (const line of annotationLines(report, invocation)) terminal.raw(`${line}\n`)
    await writeJobSummary(report, invocation)
  } else {
    printShort(report.steps, terminal.stdout)
    printFindings(report, invocation)
  }
  if (failure === undefined) return
  terminal.errors.line()
  printError(failure, terminal)
  if (failure.code === 'KEY_MISSING') {
    const command = formatCommand(project.lock.workspace, 'check --offline')
    terminal.errors.line(`  Or check without the service: \`${command}\`.`)
  }
}

/** Prints the findings with their positions, and each fix once. */
function printFindings(
  { findings, lock, held, drafts }: CheckReport,
  { terminal: { stdout, messages, suggest }, cwd }: CheckInvocation,
): void {
  if (findings.length > 0) stdout.line()
  const rows = findings.map(({ kind, severity, file, line, message }) => [
    stdout.style(SEVERITIES[severity], severity),
    stdout.dim(displayPath(file, { cwd }) + (kind.endsWith('-missing') ? '' : `:${line}`)),
    suggest(message),
  ])
  stdout.rows(rows)
  printHeldSection(held, stdout)
  printReleasedEdits(lock?.prompts ?? [], stdout)
  const fixes = new Set(findings.map(({ fix }) => fix))
  if (fixes.size > 0) messages.line()
  for (const fix of fixes) messages.line(messages.fix(fix))
  if (drafts.length === 0) return
  messages.line(
    '',
    `${pluralize(drafts.length, 'prompt')} with a staging version may have changed under the same label; \`diff\` reads them.`,
  )
}

const SEVERITIES: Readonly<Record<Finding['severity'], Format>> = { fault: 'red', drift: 'yellow' }
