import { locateParts } from '../../core/lock/lock-lines.ts'
import type { Environment } from '../../core/prompt.ts'
import type { PromptsError } from '../../errors/prompts-error.ts'

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

type FindingKind =
  | `lock-${'missing' | 'broken' | 'unsorted' | 'unfit'}`
  | `${'declarations' | 'files'}-${'missing' | 'stale'}`
  | `prompt-${'edited' | 'added' | 'removed' | 'updated'}`

/** One problem that a check found. */
export interface Finding {
  readonly kind: FindingKind
  /**
   * `fault`: a build would fail or use wrong prompts. `drift`: something is out of date, and a
   * command updates it.
   */
  readonly severity: 'fault' | 'drift'
  /** The slug of the prompt, as served: sanitize it before printing. */
  readonly slug?: string
  /** Which part of the prompt. */
  readonly environment?: Environment
  /** Sanitized, except for its own line breaks. */
  readonly message: string
  /** How to fix it. */
  readonly fix: string
  /** Absolute path. */
  readonly file: string
  /** 1-based. */
  readonly line: number
}

/** Completes a finding of the lock with its line: that of a field of its prompt. Default: of the slug. */
export type LocateFinding = (finding: Omit<Finding, 'file' | 'line'>, field?: string) => Finding

/** Finds lines in the text of a lock; 1 for what is not there. */
export function findingLocator(file: string, text: string): LocateFinding {
  const lineOf = locateParts(text)
  return (finding, field) => {
    const { slug = '', environment = 'live' } = finding
    return { ...finding, file, line: lineOf({ slug, environment }, field) ?? 1 }
  }
}
