import type { ErrorCode } from '../../errors/catalogue.ts'
import type { PromptsError } from '../../errors/prompts-error.ts'

/** What is examined, in the order of the report. */
export type DiagnosisTopic =
  | 'node'
  | 'package'
  | 'configuration'
  | 'key'
  | 'address'
  | 'service'
  | 'lock'
  | 'options'
  | 'declarations'
  | 'files'
  | 'types'
  | 'plugin'
  | 'git'

/**
 * `broken`: a build, a pull or a type check fails. `warning`: something may be wrong, or is out of
 * date. `skipped`: there is nothing to examine.
 */
export type DiagnosisState = 'ok' | 'warning' | 'broken' | 'skipped'

/** What was found about one topic. */
export interface Diagnosis {
  readonly topic: DiagnosisTopic
  readonly state: DiagnosisState
  /** Sanitized, except for its own line breaks. */
  readonly message: string
  /** What to do, if there is something. */
  readonly fix?: string
  /** Set if an error was raised. */
  readonly code?: ErrorCode
}

/** The diagnosis that all is well. */
export function ok(topic: DiagnosisTopic, message: string): Diagnosis {
  return { topic, state: 'ok', message }
}

/** The diagnosis that there is nothing to examine. */
export function skipped(topic: DiagnosisTopic, message: string): Diagnosis {
  return { topic, state: 'skipped', message }
}

/** The diagnosis that an error is. */
export function brokenBy(
  topic: DiagnosisTopic,
  { why: message, fix, code }: PromptsError,
): Diagnosis {
  return { topic, state: 'broken', message, fix, code }
}
