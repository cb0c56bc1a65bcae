/** What a check has found, and its steps as text and as JSON. */
import type { ImpactReport } from '../../../analysis/app/analyse-impact.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import type { PromptsError } from '../../../errors/prompts-error.ts'
import type {
  CheckReport,
  Finding,
  FinishedStep,
  StepName,
  StepState,
} from '../../../features/check/check.ts'
import type { Channel } from '../../shell/terminal.ts'
import { errorJson } from '../../view/report-error.ts'

/** What a check has found. */
export interface CheckResult extends Pick<CheckReport, 'lock' | 'held' | 'kept'> {
  readonly steps: readonly FinishedStep[]
  readonly findings: readonly Finding[]
  readonly errors: readonly PromptsError[]
  /** What of the app does not compile with the lock, with `--impact` or `--all`. */
  readonly impact: ImpactReport | undefined
  /** Number of retried requests. */
  readonly retries: number
}

const TITLES: Readonly<Record<StepName, string>> = {
  node: 'Node',
  package: 'Package',
  configuration: 'Configuration',
  key: 'Key',
  address: 'Address',
  plugin: 'Plugin',
  git: 'Git',
  lock: 'Lock',
  options: 'Options',
  declarations: 'Declarations',
  files: 'Generated files',
  types: 'TypeScript',
  service: 'Service',
  code: 'App code',
}

/** A step of `prompts check --json`. */
export interface StepJson {
  readonly name: StepName
  readonly state: StepState
  /** Sanitized, except for its own line breaks. */
  readonly message: string
  /** What to do, if there is something. */
  readonly fix?: string
  /** Set if an error was raised. */
  readonly code?: string
}

export function stepJson(step: FinishedStep): StepJson {
  const { name, state } = step
  if (!('error' in step)) {
    const { message, fix } = step
    return { name, state, message, ...(fix !== undefined && { fix }) }
  }
  const { code, why, fix, causes } = errorJson(step.error).error
  const message = [why, ...causes.map((cause) => `Cause: ${cause}`)].join('\n')
  return { name, state, message, fix, code }
}

/** Prints the steps, one line each. Findings are only counted. */
export function printSteps(steps: readonly FinishedStep[], channel: Channel): void {
  const rows = steps.map((step) => [
    channel.mark(step.state, TITLES[step.name]),
    channel.dim(summaryOf(step)),
  ])
  channel.rows(rows)
}

function summaryOf(step: FinishedStep): string {
  if ('error' in step) return 'check failed'
  return step.findings === undefined ? step.message : pluralize(step.findings.length, 'finding')
}
