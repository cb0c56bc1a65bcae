import { errorCode, errorMessage } from '../errors/error-code.ts'
import { AttemptFailure, type Retry } from './retry.ts'
import type { PromptServiceOptions } from './client-options.ts'
import { type HttpResponse, getHeader, type Outcome } from './http.ts'
import { bodyExcerpt, type Mask } from './mask.ts'
import { MAX_WAIT, formatWait, parseRetryAfter } from './retry-after.ts'

/** What errors and response readers know about one request. */
export interface RequestContext extends Pick<
  PromptServiceOptions,
  'workspace' | 'keySource' | 'timeout'
> {
  readonly url: string
  /** Such as `GET /api/v1/prompts/support-triage`. */
  readonly subject: string
  /** The host or the proxy, for messages. */
  readonly peer: string
  /** Maximum size of the response, in bytes. */
  readonly limit: number
  readonly mask: Mask
  now(): number
}

/** Readers of responses by status. Every other status is a failure. */
export type Readers<T> = Readonly<
  Partial<Record<number, (answer: HttpResponse, context: RequestContext) => T>>
>

/**
 * Reads what an attempt received.
 *
 * @throws AttemptFailure
 */
export function interpretOutcome<T>(
  outcome: Outcome,
  context: RequestContext,
  readers: Readers<T>,
): T {
  if (outcome.kind !== 'response') throw networkFailure(outcome, context)
  const { response } = outcome
  const read = readers[response.status]
  if (read === undefined) throw statusFailure(response, context)
  return read(response, context)
}

/** Codes of Node and OpenSSL for an invalid certificate of a server or proxy. A retry can't help. */
const CERTIFICATE =
  /^(?:ERR_TLS_CERT_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_C|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$|UND_ERR_PRX_TLS$)/

function networkFailure(
  outcome: Exclude<Outcome, { kind: 'response' }>,
  { workspace, url, peer, timeout, limit }: RequestContext,
): AttemptFailure {
  if (outcome.kind === 'too-large') return new AttemptFailure('ANSWER_TOO_LARGE', { url, limit })
  if (outcome.kind === 'timed-out') {
    const details = { url, milliseconds: timeout, attempts: 1 }
    const retry = outcome.stage === 'headers' ? 'backoff' : 'never'
    return new AttemptFailure('SERVICE_TIMEOUT', details, { retry })
  }
  const { kind, cause } = outcome
  const again = { retry: 'backoff', cause } as const
  if (kind === 'truncated')
    return new AttemptFailure('ANSWER_INCOMPLETE', { url, attempts: 1 }, again)
  const reason = describeNetworkError(cause, peer)
  if (CERTIFICATE.test(errorCode(cause)))
    return new AttemptFailure('CERTIFICATE_INVALID', { url, reason }, { cause })
  return new AttemptFailure('SERVICE_UNREACHABLE', { url, reason, attempts: 1, workspace }, again)
}

/** What common codes mean, after the name of the host or proxy. */
const MEANINGS: Readonly<Record<string, (peer: string) => string>> = {
  ENOTFOUND: (peer) => `${peer} was not found`,
  EAI_AGAIN: (peer) => `the DNS lookup of ${peer} failed`,
  ECONNREFUSED: (peer) => `${peer} refused the connection`,
  ECONNRESET: (peer) => `${peer} reset the connection`,
  EPIPE: (peer) => `${peer} closed the connection`,
  UND_ERR_SOCKET: (peer) => `${peer} closed the connection`,
  ETIMEDOUT: (peer) => `connecting to ${peer} timed out`,
  UND_ERR_CONNECT_TIMEOUT: (peer) => `connecting to ${peer} timed out`,
  EPROTO: (peer) => `${peer} does not speak TLS as expected`,
  ERR_SSL_WRONG_VERSION_NUMBER: (peer) => `${peer} does not speak TLS`,
  EHOSTUNREACH: (peer) => `there is no route to ${peer}`,
  ENETUNREACH: (peer) => `there is no route to ${peer}`,
}

/** Describes why a connection failed. May contain remote text. */
function describeNetworkError(cause: unknown, peer: string): string {
  const code = errorCode(cause)
  const meaning = Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined
  const message = errorMessage(cause)
  const description = meaning?.(peer) ?? `${peer}: ${message}`
  return code === '' || description.includes(code) ? description : `${description} (${code})`
}

/** Returns the failure for a response that has no reader. */
function statusFailure(
  answer: HttpResponse,
  { url, workspace, keySource: source, mask, now }: RequestContext,
): AttemptFailure {
  const { status } = answer
  const excerpt = bodyExcerpt(answer.body, mask)
  const delay = parseRetryAfter(getHeader(answer, 'retry-after'), now())
  const wait = formatWait(delay)
  switch (status) {
    case 204:
    case 205:
      return new AttemptFailure('ANSWER_EMPTY', { url, status })
    // As in fetch. Others from 300 to 399, such as 304, have no target.
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
      return new AttemptFailure('REDIRECTED', {
        url,
        status,
        target: targetOf(answer, url),
        workspace,
      })
    case 401:
      return new AttemptFailure('KEY_REFUSED', { url, source, excerpt })
    case 403:
      return new AttemptFailure('ACCESS_DENIED', { url, excerpt })
    case 404:
      return new AttemptFailure('SERVICE_NOT_FOUND', { url, workspace })
    case 429:
      return new AttemptFailure(
        'RATE_LIMITED',
        { url, wait, attempts: 1, workspace },
        { retry: retryAfter(delay) },
      )
    case 500:
    case 502:
    case 503:
    case 504:
      return new AttemptFailure(
        'SERVICE_FAILED',
        { url, status, attempts: 1, excerpt, wait },
        { retry: retryAfter(delay) },
      )
    default:
      return new AttemptFailure('STATUS_UNEXPECTED', { url, status, excerpt })
  }
}

/** Without a requested delay, or with one that is over, the retry uses backoff. */
function retryAfter(delay: number = 0): Retry {
  if (delay > MAX_WAIT) return 'never'
  return delay === 0 ? 'backoff' : { after: delay }
}

/** Returns the origin of a redirect's target: the rest may contain the key. */
function targetOf(answer: HttpResponse, url: string): string {
  const location = getHeader(answer, 'location') ?? ''
  if (location === '' || !URL.canParse(location, url)) return 'an unknown address'
  const { origin, protocol } = new URL(location, url)
  // That of `javascript:` and similar URLs is `null`.
  return origin === 'null' ? protocol : origin
}
