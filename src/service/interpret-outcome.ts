import { type AttemptResult, failed } from './attempt-result.ts'
import type { HttpResponse, Outcome } from './exchange.ts'
import type { Mask } from './mask.ts'
import { describeNetworkError } from './network-failure.ts'
import { interpretStatus } from './interpret-status.ts'

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
  Partial<Record<number, (answer: HttpResponse, context: RequestContext) => AttemptResult<T>>>
>

/** What one attempt came to, and whether another one may help. */
export function interpretOutcome<T>(
  outcome: Outcome,
  context: RequestContext,
  readers: Readers<T>,
): AttemptResult<T> {
  if (outcome.kind !== 'response') return interpretFailure(outcome, context)
  const read = readers[outcome.response.status] ?? interpretStatus
  return read(outcome.response, context)
}

function interpretFailure(
  outcome: Exclude<Outcome, { kind: 'response' }>,
  { workspace, url, peer, timeout, limit }: RequestContext,
): AttemptResult<never> {
  if (outcome.kind === 'too-large') return failed('ANSWER_TOO_LARGE', () => ({ url, limit }))
  if (outcome.kind === 'timed-out') {
    const details = (attempts: number) => ({ url, milliseconds: timeout, attempts })
    const retry = outcome.stage === 'headers' ? 'backoff' : 'never'
    return failed('SERVICE_TIMEOUT', details, { retry })
  }
  const { cause } = outcome
  const reason = describeNetworkError(cause, peer)
  const again = { retry: 'backoff', cause } as const
  if (outcome.kind === 'truncated')
    return failed('ANSWER_INCOMPLETE', (n) => ({ url, attempts: n }), again)
  if (outcome.kind === 'untrusted')
    return failed('CERTIFICATE_INVALID', () => ({ url, reason }), { cause })
  return failed('SERVICE_UNREACHABLE', (n) => ({ url, reason, attempts: n, workspace }), again)
}
