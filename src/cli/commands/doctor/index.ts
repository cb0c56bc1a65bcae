import { pluralize } from '../../../core/text/pluralize.ts'
import { diagnose } from '../../../features/check/diagnose.ts'
import type { FinishedStep, StepState } from '../../../features/check/check.ts'
import type { Project } from '../../../features/project/project.ts'
import { projectOptions } from '../../project/options.ts'
import { withProgress } from '../../project/progress.ts'
import { openCommandProject, resolveRoot } from '../../project/project-command.ts'
import { type Command, defineCommand } from '../../shell/command.ts'
import type { StepJson } from '../../view/json.ts'
import { printLong, stepJson } from '../../view/step-view.ts'

/** `prompts doctor --json`. */
export interface DoctorJson {
  /** Whether the exit code is 0. */
  readonly ok: boolean
  /** In order; those that depend on unusable options are left out. */
  readonly steps: readonly StepJson[]
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
    const open = (): Promise<Project> => openCommandProject(invocation)
    const request = { root, isOffline: values.offline, open, signal }
    const steps = await withProgress(terminal, 'Examining the project', ({ onProgress }) =>
      diagnose({ ...request, onProgress }),
    )
    const ok = steps.every(({ state }) => state !== 'error')
    terminal.json({ ok, steps: steps.map(stepJson) } satisfies DoctorJson)
    printLong(steps, terminal)
    terminal.messages.line('', summaryOf(steps))
    return ok ? 0 : 1
  },
})

function summaryOf(steps: readonly FinishedStep[]): string {
  const count = (state: StepState): number => steps.filter((step) => step.state === state).length
  const [problems, warnings] = [count('error'), count('warning')]
  const parts = [
    problems > 0 && pluralize(problems, 'problem'),
    warnings > 0 && pluralize(warnings, 'warning'),
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'Everything is fine.' : `${parts.join(', ')}.`
}
