import process from 'node:process'
import { wrapAnsi } from 'fast-wrap-ansi'
import { pluralize } from '../../../core/text/pluralize.ts'
import { diagnose, type Diagnosis } from '../../../features/doctor/doctor.ts'
import { type Command, defineCommand } from '../../args/command.ts'
import { projectOptions } from '../../args/options.ts'
import { SIGNS } from '../../output/channel.ts'
import { padEnd } from '../../output/layout.ts'
import type { PromptsError } from '../../../errors/prompts-error.ts'
import { errorJson } from '../../output/report-error.ts'
import { startProgress } from '../../output/progress.ts'
import type { Terminal } from '../../output/terminal.ts'
import { openCommandProject, resolveRoot } from '../../project-command.ts'

/** `prompts doctor --json`. */
export interface DoctorJson {
  /** Whether the exit code is 0. */
  readonly ok: boolean
  /** In the order of the report; topics that depend on unusable options are left out. */
  readonly checks: readonly Diagnosis[]
}

function describeError(fault: PromptsError): Pick<Diagnosis, 'message' | 'fix'> {
  const { why, fix, causes } = errorJson(fault).error
  return { message: [why, ...causes.map((cause) => `Cause: ${cause}`)].join('\n'), fix }
}

/** `prompts doctor`. */
export const doctor: Command = defineCommand({
  details: [
    'Examines Node, the installation, options, key, address, service, lock, generated files, TypeScript, the code that uses prompts, the bundler, git and Turborepo. Writes nothing. Asking the service takes one list request and no metered read.',
    'Exits with 1 if something is broken. Warnings do not change the exit code.',
  ],
  options: {
    offline: { description: 'Do not ask the service' },
    ...projectOptions,
  },
  examples: [
    ['prompts doctor', 'examine everything'],
    ['prompts doctor --offline', 'without the service'],
    ['prompts doctor --json', 'to attach to a bug report: keys are masked'],
  ],
  async run(invocation) {
    const { terminal, values, signal } = invocation
    const root = await resolveRoot(invocation)
    const { onProgress, stop } = startProgress(terminal, 'Examining the project')
    const checks = await diagnose({
      root,
      nodeVersion: process.versions.node,
      isOffline: values.offline,
      open: () => openCommandProject(invocation),
      describe: describeError,
      signal,
      onProgress,
    }).finally(stop)
    const ok = checks.every(({ state }) => state !== 'broken')
    terminal.json({ ok, checks } satisfies DoctorJson)
    printDiagnoses(checks, terminal)
    return ok ? 0 : 1
  },
})

const TITLES: Readonly<Record<Diagnosis['topic'], string>> = {
  node: 'Node',
  package: 'Package',
  configuration: 'Configuration',
  key: 'Key',
  address: 'Address',
  service: 'Service',
  lock: 'Lock',
  options: 'Options',
  declarations: 'Declarations',
  files: 'Generated files',
  types: 'TypeScript',
  code: 'App code',
  plugin: 'Plugin',
  git: 'Git',
  cache: 'Build cache',
}

/** Columns before the messages: sign, title, and space between. */
const GUTTER = 2 + Math.max(...Object.values(TITLES).map(({ length }) => length)) + 2

/** Prints every diagnosis with its fix, then how many there are of each kind. */
function printDiagnoses(diagnoses: readonly Diagnosis[], terminal: Terminal): void {
  const { stdout, messages, width } = terminal
  for (const { state, topic, message, fix, code } of diagnoses) {
    // Most projects have no generated folder, and need not read that it is not checked.
    if (topic === 'files' && state === 'skipped') continue
    const [sign, format] = SIGNS[state === 'broken' ? 'error' : state]
    const title = padEnd(`${sign} ${TITLES[topic]}`, GUTTER)
    const label = code === undefined ? '' : `${stdout.dim(`[${code}]`)} `
    const advice = fix === undefined ? '' : `\n${stdout.fix(terminal.suggest(fix))}`
    const shown = state === 'skipped' ? stdout.dim(message) : message
    const lines = wrapAnsi(
      `${label}${terminal.suggest(shown)}${advice}`,
      Math.min(width, 100) - GUTTER,
    ).split('\n')
    for (const [index, line] of lines.entries()) {
      stdout.line((index === 0 ? stdout.style(format, title) : ' '.repeat(GUTTER)) + line)
    }
  }
  messages.line('', summaryOf(diagnoses))
}

function summaryOf(diagnoses: readonly Diagnosis[]): string {
  const count = (state: Diagnosis['state']): number =>
    diagnoses.filter((each) => each.state === state).length
  const [broken, warnings] = [count('broken'), count('warning')]
  const parts = [
    ...(broken === 0 ? [] : [pluralize(broken, 'problem')]),
    ...(warnings === 0 ? [] : [pluralize(warnings, 'warning')]),
  ]
  return parts.length === 0 ? 'Everything is fine.' : `${parts.join(', ')}.`
}
