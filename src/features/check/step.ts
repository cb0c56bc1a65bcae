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

/** The results of steps in their order; `undefined` if what a step checks is not in the project. */
export type StepResults = { readonly [Name in StepName]?: StepResult | undefined }

/** Returns the steps that were run. */
export function listSteps(results: StepResults): FinishedStep[] {
  return Object.entries(results).flatMap(([name, result]) =>
    result === undefined ? [] : [{ name: name as StepName, ...result }],
  )
}

export function ok(message: string): StepResult {
  return { state: 'ok', message }
}

/** The result that there is nothing to check. */
export function skipped(message: string): StepResult {
  return { state: 'skipped', message }
}
