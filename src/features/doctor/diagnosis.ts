import type { ErrorCode } from '../../errors/catalogue.ts'
import type { PromptsError } from '../../errors/prompts-error.ts'

/** What is examined, in the order of the report. */
export const TOPICS = [
  'node',
  'package',
  'configuration',
  'key',
  'address',
  'service',
  'lock',
  'options',
  'declarations',
  'files',
  'types',
  'code',
  'plugin',
  'git',
  'cache',
] as const

/**
 * `broken`: a build, a pull or a type check fails. `warning`: something may be wrong, or is out of
 * date. `skipped`: there is nothing to examine.
 */
export type DiagnosisState = 'ok' | 'warning' | 'broken' | 'skipped'

/** What was found about one topic. */
export interface Diagnosis {
  readonly topic: (typeof TOPICS)[number]
  readonly state: DiagnosisState
  /** Sanitized, except for its own line breaks. */
  readonly message: string
  /** What to do, if there is something. */
  readonly fix?: string
  /** Set if an error was raised. */
  readonly code?: ErrorCode
}

/** The same without its topic. The words of an error are added at the end. */
export type Verdict =
  | Pick<Diagnosis, 'state' | 'message' | 'fix'>
  | { readonly state: DiagnosisState; readonly error: PromptsError }

/** The verdicts of an examination; none about what is not in the project. */
export type Verdicts = { readonly [Topic in Diagnosis['topic']]?: Verdict | undefined }

/** The verdict that all is well. */
export function ok(message: string): Verdict {
  return { state: 'ok', message }
}

/** The verdict that there is nothing to examine. */
export function skipped(message: string): Verdict {
  return { state: 'skipped', message }
}
