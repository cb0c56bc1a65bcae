import process from 'node:process'
import { diagnose, type Diagnosis } from '../../../features/doctor/doctor.ts'
import { type Command, defineCommand } from '../../args/command.ts'
import { projectOptions } from '../../args/options.ts'
import { openCommandProject, resolveRoot } from '../../project-command.ts'
import { startProgress } from '../../output/progress.ts'
import { printDiagnoses } from './doctor-view.ts'

/** `prompts doctor --json`. */
export interface DoctorJson {
  /** Whether the exit code is 0. */
  readonly ok: boolean
  /** In the order of the report; topics that depend on unusable options are left out. */
  readonly checks: readonly Diagnosis[]
}

/** `prompts doctor`. */
export const doctor: Command = defineCommand({
  name: 'doctor',
  details: [
    'Examines Node, the installation, options, key, address, service, lock, generated files, TypeScript, the bundler and git. Writes nothing. Asking the service takes one list request and no metered read.',
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
    const root = await resolveRoot(invocation, values)
    const { onRetry, stop } = startProgress(terminal, 'Examining the project')
    const checks = await diagnose({
      root,
      nodeVersion: process.versions.node,
      isOffline: values.offline,
      open: () => openCommandProject(invocation),
      signal,
      onRetry,
    }).finally(stop)
    const ok = checks.every(({ state }) => state !== 'broken')
    terminal.json({ ok, checks } satisfies DoctorJson)
    printDiagnoses(checks, terminal)
    return ok ? 0 : 1
  },
})
