import { pluralize } from '../../../core/text/pluralize.ts'
import type { PromptsError } from '../../../errors/prompts-error.ts'
import { diagnose, type Diagnosis } from '../../../features/doctor/doctor.ts'
import { type Command, defineCommand } from '../../args/command.ts'
import { projectOptions } from '../../args/options.ts'
import { startProgress } from '../../output/progress.ts'
import { errorJson } from '../../output/report-error.ts'
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

/** Prints every diagnosis with its fix, then how many there are of each kind. */
function printDiagnoses(diagnoses: readonly Diagnosis[], terminal: Terminal): void {
  const { prose, messages } = terminal
  const rows = diagnoses
    // Most projects have no generated folder, and need not read that it is not checked.
    .filter(({ topic, state }) => topic !== 'files' || state !== 'skipped')
    .map(({ state, topic, message, fix, code }) => {
      const label = code === undefined ? '' : `${prose.dim(`[${code}]`)} `
      const advice = fix === undefined ? '' : `\n${prose.fix(fix)}`
      const text = state === 'skipped' ? prose.dim(message) : message
      const cell = terminal.suggest(`${label}${text}${advice}`)
      return [prose.mark(state === 'broken' ? 'error' : state, TITLES[topic]), cell]
    })
  prose.rows(rows)
  messages.line('', summaryOf(diagnoses))
}

function summaryOf(diagnoses: readonly Diagnosis[]): string {
  const count = (state: Diagnosis['state']): number =>
    diagnoses.filter((diagnosis) => diagnosis.state === state).length
  const [broken, warnings] = [count('broken'), count('warning')]
  const parts = [
    broken > 0 && pluralize(broken, 'problem'),
    warnings > 0 && pluralize(warnings, 'warning'),
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'Everything is fine.' : `${parts.join(', ')}.`
}
