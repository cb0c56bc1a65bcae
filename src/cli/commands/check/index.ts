/**
 * Checks the lock and makes one answer of it: {@link CheckJson}. It is printed as text, or for GitHub as
 * annotations and a job summary.
 */
import type { ImpactFinding } from '../../../core/impact.ts'
import type { Environment } from '../../../core/prompt.ts'
import { indexBySlug } from '../../../core/text/order.ts'
import { formatCommand } from '../../../core/suggested-command.ts'
import {
  check as checkProject,
  type CheckReport,
  type Finding,
} from '../../../features/check/check.ts'
import type { ImpactReport } from '../../../analysis/app/analyse-impact.ts'
import { codeOptions, findImpact } from '../../project/analyse.ts'
import { withProgress } from '../../project/progress.ts'
import {
  defineProjectCommand,
  type ProjectInvocation,
  serviceLabel,
} from '../../project/project-command.ts'
import type { Format } from '../../shell/terminal.ts'
import type { Command, ExitCode } from '../../shell/command.ts'
import {
  printHeldSection,
  printImpact,
  printKept,
  printReleasedEdits,
} from '../../view/change-view.ts'
import type { ErrorJson, StepJson } from '../../view/json.ts'
import { errorJson, printError } from '../../view/report-error.ts'
import { printShort, stepJson } from '../../view/step-view.ts'
import { annotationLines, writeJobSummary } from './github.ts'

/** `prompts check --json`. */
export interface CheckJson
  extends Pick<CheckReport, 'findings' | 'held' | 'kept'>, Partial<ErrorJson> {
  /** Whether the exit code is 0. */
  readonly ok: boolean
  /** In order. */
  readonly steps: readonly StepJson[]
  /** The view of the lock that apps get; `null` if it can't be read. */
  readonly environment: Environment | null
  /** Number of prompts in the lock; `null` if it can't be read. */
  readonly prompts: number | null
  /**
   * Only with `--impact`: code that does not compile with the lock. Reasons and messages may contain remote
   * text.
   */
  readonly impact?: readonly ImpactFinding[]
  /** Number of retried requests. */
  readonly retries: number
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
    const result = await checkLock(invocation)
    const exitCode = exitCodeOf(result)
    terminal.json({ ...checkJson(result), ok: exitCode === 0 } satisfies CheckJson)
    if (!terminal.isJson) await printReport(result.report, invocation)
    // The updates that the report lists may break the app; this is about what is pinned.
    if (result.impact !== undefined)
      printImpact(result.impact, terminal.stdout, 'The pinned prompts break nothing in')
    return exitCode
  },
})

/** What a check has found. */
interface LockCheck {
  readonly report: CheckReport
  /** What of the app does not compile with the lock, with `--impact`. */
  readonly impact: ImpactReport | undefined
  /** Number of retried requests. */
  readonly retries: number
}

async function checkLock(invocation: CheckInvocation): Promise<LockCheck> {
  const { project, terminal, signal, values } = invocation
  const isOffline = values.offline
  const label = isOffline ? 'Checking' : `Checking against ${serviceLabel(project)}`
  const request = { isOffline, failOn: values['fail-on'], signal }
  const checked = await withProgress(terminal, label, async ({ onProgress, retries }) => {
    const report = await checkProject(project, { ...request, onProgress })
    return { report, retries: retries() }
  })
  const after = values.impact ? checked.report.lock : undefined
  const impact = after && (await findImpact(invocation, { before: undefined, after }))
  return { ...checked, impact }
}

/** A check as JSON, with `error` if the service check failed. */
function checkJson({ report, impact, retries }: LockCheck): Omit<CheckJson, 'ok'> {
  const { findings, steps, lock, failure, held, kept } = report
  return {
    steps: steps.map(stepJson),
    environment: lock?.environment ?? null,
    prompts: lock === undefined ? null : indexBySlug(lock.parts).size,
    findings,
    held,
    kept,
    retries,
    ...(failure && errorJson(failure)),
    ...(impact && { impact: impact.findings }),
  }
}

function exitCodeOf({ report: { steps }, impact }: LockCheck): ExitCode {
  const states = new Set(steps.map(({ state }) => state))
  if (states.has('error')) return 1
  return states.has('warning') || (impact?.findings.length ?? 0) > 0 ? 3 : 0
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
  { findings, lock, held, kept }: CheckReport,
  { terminal: { stdout, messages, suggest } }: CheckInvocation,
): void {
  if (findings.length > 0) stdout.line()
  const rows = findings.map(({ kind, severity, file, line, message }) => [
    stdout.style(SEVERITIES[severity], severity),
    stdout.dim(suggest(file) + (kind.endsWith('-missing') ? '' : `:${line}`)),
    suggest(message),
  ])
  stdout.rows(rows)
  printHeldSection(held, stdout)
  printReleasedEdits(lock?.parts ?? [], stdout)
  printKept(kept, stdout)
  const fixes = new Set(findings.map(({ fix }) => fix))
  if (fixes.size > 0) messages.line()
  for (const fix of fixes) messages.line(messages.fix(fix))
}

const SEVERITIES: Readonly<Record<Finding['severity'], Format>> = { fault: 'red', drift: 'yellow' }
