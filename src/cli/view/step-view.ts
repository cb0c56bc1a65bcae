/** The steps of a check as text and as JSON. */
import { pluralize } from '../../core/text/pluralize.ts'
import type { FinishedStep, StepName } from '../../features/check/check.ts'
import type { Channel, Terminal } from '../shell/terminal.ts'
import type { StepJson } from './json.ts'
import { errorJson } from './report-error.ts'

const TITLES: Readonly<Record<StepName, string>> = {
  node: 'Node',
  package: 'Package',
  configuration: 'Configuration',
  key: 'Key',
  address: 'Address',
  lock: 'Lock',
  options: 'Options',
  declarations: 'Declarations',
  files: 'Generated files',
  service: 'Service',
  types: 'TypeScript',
  code: 'App code',
  plugin: 'Plugin',
  git: 'Git',
  cache: 'Build cache',
}

/** A step as JSON. */
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

/** Prints the steps, one line each. What is wrong is only counted. */
export function printShort(steps: readonly FinishedStep[], channel: Channel): void {
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

/** Prints the steps with what is wrong and how to fix it. */
export function printLong(steps: readonly FinishedStep[], terminal: Terminal): void {
  const { prose } = terminal
  const rows = steps.map(stepJson).map(({ state, name, message, fix, code }) => {
    const label = code === undefined ? '' : `${prose.dim(`[${code}]`)} `
    const advice = fix === undefined ? '' : `\n${prose.fix(fix)}`
    const text = state === 'skipped' ? prose.dim(message) : message
    return [prose.mark(state, TITLES[name]), terminal.suggest(`${label}${text}${advice}`)]
  })
  prose.rows(rows)
}
