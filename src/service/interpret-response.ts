import { type HttpResponse, getHeader, type Outcome } from './exchange.ts'
import { bodyExcerpt } from './mask.ts'
import {
  type RequestContext,
  type FailureOptions,
  type AttemptResult,
  failed,
} from './attempt-result.ts'
import { MAX_WAIT, formatWait, parseRetryAfter } from './retry-after.ts'
import { describeNetworkError } from './network-failure.ts'

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

type FailedAttempt = AttemptResult<never>
type StatusHandler = (answer: HttpResponse, context: RequestContext) => FailedAttempt

const STATUS_HANDLERS: Readonly<Record<number, StatusHandler>> = {
  204: emptyBody,
  205: emptyBody,
  401: ({ body }, { url, keySource: source, mask }) =>
    failed('KEY_REFUSED', () => ({ url, source, excerpt: bodyExcerpt(body, mask) })),
  403: ({ body }, { url, mask }) =>
    failed('ACCESS_DENIED', () => ({ url, excerpt: bodyExcerpt(body, mask) })),
  404: (_answer, { url, workspace }) => failed('SERVICE_NOT_FOUND', () => ({ url, workspace })),
  429: rateLimited,
  500: serverError,
  502: serverError,
  503: serverError,
  504: serverError,
}

/** The redirect statuses of fetch; others from 300 to 399, such as 304, have no target. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Returns the failure for a response with another status than 200. */
function interpretStatus(answer: HttpResponse, context: RequestContext): FailedAttempt {
  const { status, body } = answer
  const handle = STATUS_HANDLERS[status]
  if (handle !== undefined) return handle(answer, context)
  if (REDIRECTS.has(status)) return redirected(answer, context)
  const { url, mask } = context
  return failed('STATUS_UNEXPECTED', () => ({ url, status, excerpt: bodyExcerpt(body, mask) }))
}

function emptyBody({ status }: HttpResponse, { url }: RequestContext): FailedAttempt {
  return failed('ANSWER_EMPTY', () => ({ url, status }))
}

function rateLimited(answer: HttpResponse, { url, now, workspace }: RequestContext): FailedAttempt {
  const wait = parseRetryAfter(getHeader(answer, 'retry-after'), now())
  const details = (attempts: number) => ({ url, wait: formatWait(wait), attempts, workspace })
  return failed('RATE_LIMITED', details, retryAfter(wait))
}

function serverError(answer: HttpResponse, { url, mask, now }: RequestContext): FailedAttempt {
  const { status, body } = answer
  const wait = parseRetryAfter(getHeader(answer, 'retry-after'), now())
  const excerpt = bodyExcerpt(body, mask)
  const details = (attempts: number) => ({ url, status, attempts, excerpt, wait: formatWait(wait) })
  return failed('SERVICE_FAILED', details, retryAfter(wait))
}

/** Without a requested delay, or with one that is over, the retry uses backoff. */
function retryAfter(wait: number = 0): FailureOptions {
  if (wait > MAX_WAIT) return { retry: 'never' }
  return { retry: wait === 0 ? 'backoff' : { after: wait } }
}

/** Only the origin of the target is reported: the rest may contain the key. */
function redirected(answer: HttpResponse, { url, workspace }: RequestContext): FailedAttempt {
  const { status } = answer
  const location = getHeader(answer, 'location') ?? ''
  const known = location !== '' && URL.canParse(location, url)
  const target = known ? describeOrigin(new URL(location, url)) : 'an unknown address'
  return failed('REDIRECTED', () => ({ url, status, target, workspace }))
}

/** The origin of `javascript:` and similar URLs is `null`. */
function describeOrigin({ origin, protocol }: URL): string {
  return origin === 'null' ? protocol : origin
}
