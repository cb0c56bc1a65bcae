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
  | 'code'
  | 'plugin'
  | 'git'
  | 'cache'

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

/** Prints errors, with what may help. */
export interface ErrorTexts {
  describe(error: PromptsError): Pick<Diagnosis, 'message' | 'fix'>
}

/** The diagnosis that an error is. Errors about the key belong to it, whatever found them. */
export function brokenBy(
  topic: DiagnosisTopic,
  error: PromptsError,
  { describe }: ErrorTexts,
): Diagnosis {
  const { code } = error
  const isAboutKey = code.startsWith('KEY_') || code === 'ENVIRONMENT_MISMATCH'
  return { topic: isAboutKey ? 'key' : topic, state: 'broken', ...describe(error), code }
}
