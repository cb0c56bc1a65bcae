import { resolve } from 'node:path'
import {
  check as checkProject,
  type CheckReport,
  type Finding,
  type StepName,
  type StepState,
  stepOf,
} from '../../../features/check/check.ts'
import { formatCommand } from '../../../errors/suggested-command.ts'
import { findImpact, type ImpactReport } from '../../../features/usage/impact.ts'
import type { Project } from '../../../features/project/project.ts'
import type { Command, ExitCode, CommandContext } from '../../args/command.ts'
import { annotationLines, writeJobSummary } from '../../output/github.ts'
import { codeLocation, codeOptions, printImpact } from '../../output/impact-view.ts'
import { checkJson, type CheckJson } from './json-check.ts'
import {
  defineProjectCommand,
  type ProjectInvocation,
  projectsOfLocks,
  serviceLabel,
  displayPath,
} from '../../project-command.ts'
import { startProgress } from '../../output/progress.ts'
import { printError } from '../../output/report-error.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { printHeldSection, printReleasedEdits } from '../../output/change-view.ts'
import type { Channel, Format, Result } from '../../output/channel.ts'
import type { Terminal } from '../../output/terminal.ts'

const options = {
  offline: { description: 'Do not ask the service; needs no key' },
  impact: { description: 'Type-check the app: lines that do not compile with the lock fail' },
  ...codeOptions,
  'out-dir': {
    placeholder: 'dir',
    description: 'Also check the files in this folder (default: the option outDir)',
  },
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
  overrides({ cwd, values: { 'out-dir': folder } }) {
    return folder === undefined ? {} : { outDir: resolve(cwd, folder) }
  },
  async run(invocation) {
    const { terminal } = invocation
    const [project, second] = await projectsOfLocks(invocation)
    const hasKey = [project, second].some((each) => each?.options.apiKey !== undefined)
    const checkOne = (each: Project, isSecond: boolean): Promise<LockReport> =>
      checkWithProgress({ ...invocation, project: each }, { hasKey, isSecond })
    const first = await checkOne(project, false)
    const other = second && (await checkOne(second, true))
    const { lock } = first.report
    const impact =
      invocation.values.impact && lock
        ? await findImpact({
            ...(await codeLocation({ ...invocation, project })),
            before: undefined,
            after: lock,
          })
        : undefined
    const codes = [exitCodeOf(first.report, impact), other ? exitCodeOf(other.report) : 0]
    const staging = other && { staging: checkJson(other) }
    const ok = codes.every((code) => code === 0)
    terminal.json({ ...checkJson({ ...first, impact }), ...staging, ok } satisfies CheckJson)
    if (!terminal.isJson) {
      await printReport(first.report, invocation)
      if (other !== undefined) terminal.stdout.line()
      if (other !== undefined) await printReport(other.report, invocation)
    }
    if (impact !== undefined) printImpact(impact, terminal.stdout)
    return codes.includes(1) ? 1 : codes.includes(3) ? 3 : 0
  },
})

/** The check of one lock. */
interface LockReport {
  readonly report: CheckReport
  readonly retries: number
}

/** Of two locks, one without a key is checked offline. */
async function checkWithProgress(
  { project, terminal, signal, values }: CheckInvocation,
  { hasKey, isSecond }: { readonly hasKey: boolean; readonly isSecond: boolean },
): Promise<LockReport> {
  const { 'fail-on': failOn } = values
  const isOffline = values.offline || (hasKey && project.options.apiKey === undefined)
  const what = isOffline ? 'Checking' : `Checking against ${serviceLabel(project)}`
  const { onProgress, retries, stop } = startProgress(terminal, what)
  const report = await checkProject(project, {
    isOffline,
    isSecond,
    failOn,
    signal,
    onProgress,
  }).finally(stop)
  return { report, retries: retries() }
}

async function printReport(report: CheckReport, invocation: CheckInvocation): Promise<void> {
  const { terminal, values, project } = invocation
  const { failure } = report
  if (values.format === 'github') {
    printSteps(report, terminal.messages)
    for (const line of annotationLines(report, invocation)) terminal.raw(`${line}\n`)
    await writeJobSummary(report, invocation)
  } else {
    printSteps(report, terminal.stdout)
    printFindings(report, terminal, invocation)
  }
  if (failure === undefined) return
  terminal.errors.line()
  printError(failure, terminal)
  if (failure.code === 'KEY_MISSING') {
    const command = formatCommand(project.lock.workspace, 'check --offline')
    terminal.errors.line(`  Or check without the service: \`${command}\`.`)
  }
}

function exitCodeOf({ findings, failure }: CheckReport, impact?: ImpactReport): ExitCode {
  if (failure !== undefined || findings.some(({ severity }) => severity === 'fault')) return 1
  return findings.length + (impact?.findings.length ?? 0) === 0 ? 0 : 3
}

type PathContext = Pick<CommandContext, 'cwd'>

const RESULTS: Readonly<Record<StepState, Result>> = {
  fine: 'ok',
  found: 'error',
  failed: 'error',
  skipped: 'skipped',
}

const STEPS: readonly (readonly [StepName, title: string, fine: string])[] = [
  ['lock', 'Lock', 'valid'],
  ['options', 'Options', 'match the lock'],
  ['declarations', 'Declarations', 'current'],
  ['files', 'Generated files', 'current'],
  ['service', 'Service', 'up to date'],
]

/** Prints the result of each part of a check. */
function printSteps(report: CheckReport, channel: Channel): void {
  // Hidden if skipped, since most projects have no such files.
  const steps = STEPS.filter(([name]) => name !== 'files' || report.steps.files !== 'skipped')
  const rows = steps.map(([name, title, fine]) => [
    channel.mark(RESULTS[report.steps[name]], title),
    channel.dim(describeStep(name, fine, report)),
  ])
  channel.rows(rows)
}

function describeStep(
  name: StepName,
  fine: string,
  { steps, lock, findings }: CheckReport,
): string {
  const state = steps[name]
  if (state === 'skipped') return 'not checked'
  if (state === 'failed') return 'check failed'
  if (state === 'found')
    return pluralize(findings.filter((finding) => stepOf(finding) === name).length, 'finding')
  if (name !== 'lock' || lock === undefined) return fine
  return `${fine}, ${pluralize(lock.prompts.length, 'prompt')}, ${lock.environment}`
}

/** Prints the findings with their positions, and each fix once. */
function printFindings(report: CheckReport, terminal: Terminal, context: PathContext): void {
  const { findings, lock, held, drafts } = report
  const { stdout, messages } = terminal
  if (findings.length > 0) stdout.line()
  const rows = findings.map(({ severity, file, line, message }) => [
    stdout.style(SEVERITIES[severity], severity),
    stdout.dim(`${displayPath(file, context)}:${line}`),
    message.split('\n').map(sanitize).join('\n'),
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
