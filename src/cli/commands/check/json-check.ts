import type { CheckReport, Finding, StepName, StepState } from '../../../features/check/check.ts'
import type { HeldPrompt } from '../../../core/drift.ts'
import type { ImpactFinding } from '../../../core/impact.ts'
import type { Environment } from '../../../core/prompt.ts'
import type { ImpactReport } from '../../../features/usage/impact.ts'
import type { ErrorJson } from '../../output/json.ts'
import { errorJson } from '../../output/report-error.ts'

/** `prompts check --json`. */
export interface CheckJson extends Partial<ErrorJson> {
  /** Whether the exit code is 0. */
  readonly ok: boolean
  readonly steps: Readonly<Record<StepName, StepState>>
  /** `null` if the lock can't be read. */
  readonly environment: Environment | null
  /** Number of prompts in the lock; `null` if it can't be read. */
  readonly prompts: number | null
  readonly findings: readonly Finding[]
  /** Only with `--impact`: code that does not compile with the lock. Reasons and messages may contain remote text. */
  readonly impact?: readonly ImpactFinding[]
  /** Held prompts, which are not findings; with `update` if the service was asked. */
  readonly held: readonly HeldPrompt[]
  /**
   * Prompts of the test environment that may have changed under the same label. `prompts diff`
   * reads them.
   */
  readonly drafts: readonly string[]
  /** Number of retried requests. */
  readonly retries: number
  /** The check of the test lock, if there are two locks. */
  readonly staging?: CheckJson
}

/** A check as JSON, with `error` if the service check failed. */
export function checkJson({
  report,
  impact,
  retries,
}: {
  readonly report: CheckReport
  readonly impact?: ImpactReport | undefined
  readonly retries: number
}): CheckJson {
  const { findings, steps, lock, failure, held, drafts } = report
  return {
    ok: findings.length + (impact?.findings.length ?? 0) === 0 && failure === undefined,
    steps,
    environment: lock?.environment ?? null,
    prompts: lock?.prompts.length ?? null,
    findings,
    held,
    drafts,
    retries,
    ...(failure === undefined ? {} : errorJson(failure)),
    ...(impact === undefined ? {} : { impact: impact.findings }),
  }
}
