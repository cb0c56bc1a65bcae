import { type Verdict, failed } from './fault.ts'
import type { Answer, Outcome } from './exchange.ts'
import type { Mask } from './mask.ts'
import { reasonOf } from './network-failure.ts'
import { judgeStatus } from './status.ts'

/** What the faults of one request are told about it. */
export interface RequestContext {
  /** Name of the workspace in the app. */
  readonly workspace: string
  readonly url: string
  /** Such as `GET /api/v1/prompts/support-triage`. */
  readonly subject: string
  /** The host, or the proxy in front of it. */
  readonly peer: string
  /** Where the key came from, such as `PROMPTS_API_KEY in .env.local`. */
  readonly keySource: string
  /** Deadline of all attempts together, in milliseconds. */
  readonly timeout: number
  /** Most bytes that the answer may have. */
  readonly limit: number
  readonly mask: Mask
  /** The time of day: milliseconds since the epoch. */
  now(): number
}

/** How answers of some statuses are read; every other status is a fault. */
export type Readers<T> = Readonly<
  Partial<Record<number, (answer: Answer, context: RequestContext) => Verdict<T>>>
>

/** What one attempt came to, and whether another one may help. */
export function judge<T>(
  outcome: Outcome,
  context: RequestContext,
  readers: Readers<T>,
): Verdict<T> {
  if (outcome.kind !== 'answer') return judgeFailure(outcome, context)
  const read = readers[outcome.answer.status] ?? judgeStatus
  return read(outcome.answer, context)
}

function judgeFailure(
  outcome: Exclude<Outcome, { kind: 'answer' }>,
  { workspace, url, peer, timeout, limit }: RequestContext,
): Verdict<never> {
  if (outcome.kind === 'oversized') return failed('ANSWER_TOO_LARGE', () => ({ url, limit }))
  if (outcome.kind === 'late') {
    const details = (attempts: number) => ({ url, milliseconds: timeout, attempts })
    const retry = outcome.stage === 'headers' ? 'backoff' : 'never'
    return failed('SERVICE_TIMEOUT', details, { retry })
  }
  const { cause } = outcome
  const reason = reasonOf(cause, peer)
  const again = { retry: 'backoff', cause } as const
  if (outcome.kind === 'cut')
    return failed('ANSWER_INCOMPLETE', (n) => ({ url, attempts: n }), again)
  if (outcome.kind === 'untrusted')
    return failed('CERTIFICATE_INVALID', () => ({ url, reason }), { cause })
  return failed('SERVICE_UNREACHABLE', (n) => ({ url, reason, attempts: n, workspace }), again)
}
