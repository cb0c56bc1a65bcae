import { type AttemptResult, failed } from './attempt-result.ts'
import type { HttpResponse, Outcome } from './exchange.ts'
import { describeNetworkError } from './network-failure.ts'
import type { RequestContext } from './request-context.ts'
import { interpretStatus } from './interpret-status.ts'

/** Readers of responses by status. Every other status is a failure. */
export type Readers<T> = Readonly<
  Partial<Record<number, (answer: HttpResponse, context: RequestContext) => AttemptResult<T>>>
>

/** Turns the outcome of an attempt into its result. */
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
