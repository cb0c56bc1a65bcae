import type { PromptsError } from '../../errors/prompts-error.ts'
import type { Finding } from './finding.ts'

export type StepName =
  | 'node'
  | 'package'
  | 'configuration'
  | 'key'
  | 'address'
  | 'lock'
  | 'options'
  | 'declarations'
  | 'files'
  | 'service'
  | 'types'
  | 'code'
  | 'plugin'
  | 'git'
  | 'cache'

/**
 * `error`: a build, a pull or a type check fails. `warning`: something may be wrong, or is out of
 * date. `skipped`: it was not checked, or there is nothing to check.
 */
export type StepState = 'ok' | 'warning' | 'error' | 'skipped'

export type StepResult =
  | {
      readonly state: StepState
      /** Sanitized, except for its own line breaks. */
      readonly message: string
      /** What to do, if there is something. */
      readonly fix?: string
      /** What the message sums up. */
      readonly findings?: readonly Finding[]
    }
  | { readonly state: StepState; readonly error: PromptsError }

export type FinishedStep = StepResult & { readonly name: StepName }

export interface Step<Subject> {
  readonly name: StepName
  /** Returns `undefined` if what it checks is not in the project. */
  run(subject: Subject): StepResult | undefined | Promise<StepResult | undefined>
}

/** Runs steps, one after the other. */
export async function runSteps<Subject>(
  steps: readonly Step<Subject>[],
  subject: Subject,
): Promise<FinishedStep[]> {
  const finished: FinishedStep[] = []
  for (const step of steps) {
    const result = await step.run(subject)
    if (result !== undefined) finished.push({ name: step.name, ...result })
  }
  return finished
}

export function ok(message: string): StepResult {
  return { state: 'ok', message }
}

/** The result that there is nothing to check. */
export function skipped(message: string): StepResult {
  return { state: 'skipped', message }
}
