import {
  type CheckReport,
  type Finding,
  type StepName,
  type StepState,
  stepOf,
} from '../../../features/check/check.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { CommandContext } from '../../args/command.ts'
import { displayPath } from '../../project-command.ts'
import { printHeldSection } from '../../output/change-view.ts'
import { printRows, wrapRows } from '../../output/table.ts'
import type { Channel, Format, Result } from '../../output/channel.ts'
import type { Terminal } from '../../output/terminal.ts'

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
export function printSteps(report: CheckReport, channel: Channel): void {
  // Hidden if skipped, since most projects have no such files.
  const steps = STEPS.filter(([name]) => name !== 'files' || report.steps.files !== 'skipped')
  const rows = steps.map(([name, title, fine]) => [
    channel.mark(RESULTS[report.steps[name]], title),
    channel.dim(describeStep(name, fine, report)),
  ])
  printRows(rows, channel)
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
export function printFindings(report: CheckReport, terminal: Terminal, context: PathContext): void {
  const { findings, held, drafts } = report
  const { stdout, messages } = terminal
  if (findings.length > 0) stdout.line()
  printFindingRows(findings, stdout, context)
  printHeldSection(held, stdout)
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

/** Aligned in columns, except for further lines of a message. */
function printFindingRows(
  findings: readonly Finding[],
  channel: Channel,
  context: PathContext,
): void {
  const messages = findings.map(({ message }) => message.split('\n').map(sanitize))
  const rows = findings.map(({ severity, file, line }, index) => [
    channel.style(SEVERITIES[severity], severity),
    channel.dim(`${displayPath(file, context)}:${line}`),
    messages[index]?.[0] ?? '',
  ])
  for (const [index, lines] of wrapRows(rows, channel.columns).entries()) {
    for (const line of lines) channel.line(line)
    for (const more of messages[index]?.slice(1) ?? []) channel.line(`        ${more}`)
  }
}
