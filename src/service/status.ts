import { type Answer, headerOf } from './exchange.ts'
import { excerptOf } from './mask.ts'
import type { RequestContext } from './outcome.ts'
import { type FaultOptions, type Verdict, failed } from './fault.ts'
import { LONGEST_WAIT, formatWait, parseRetryAfter } from './retry-after.ts'

type Failure = Verdict<never>
type Judge = (answer: Answer, context: RequestContext) => Failure

const JUDGES: Readonly<Record<number, Judge>> = {
  204: empty,
  205: empty,
  401: ({ body }, { url, keySource: source, mask }) =>
    failed('KEY_REFUSED', () => ({ url, source, excerpt: excerptOf(body, mask) })),
  403: ({ body }, { url, mask }) =>
    failed('ACCESS_DENIED', () => ({ url, excerpt: excerptOf(body, mask) })),
  404: (_answer, { url, workspace }) => failed('SERVICE_NOT_FOUND', () => ({ url, workspace })),
  429: rateLimited,
  500: broken,
  502: broken,
  503: broken,
  504: broken,
}

/** The statuses that fetch calls redirects; others from 300 to 399, such as 304, lead nowhere. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** What an answer of another status than 200 means. */
export function judgeStatus(answer: Answer, context: RequestContext): Failure {
  const { status, body } = answer
  const judge = JUDGES[status]
  if (judge !== undefined) return judge(answer, context)
  if (REDIRECTS.has(status)) return redirected(answer, context)
  const { url, mask } = context
  return failed('STATUS_UNEXPECTED', () => ({ url, status, excerpt: excerptOf(body, mask) }))
}

function empty({ status }: Answer, { url }: RequestContext): Failure {
  return failed('ANSWER_EMPTY', () => ({ url, status }))
}

function rateLimited(answer: Answer, { url, now, workspace }: RequestContext): Failure {
  const wait = parseRetryAfter(headerOf(answer, 'retry-after'), now())
  const details = (attempts: number) => ({ url, wait: formatWait(wait), attempts, workspace })
  return failed('RATE_LIMITED', details, retryAfter(wait))
}

function broken(answer: Answer, { url, mask, now }: RequestContext): Failure {
  const { status, body } = answer
  const wait = parseRetryAfter(headerOf(answer, 'retry-after'), now())
  const excerpt = excerptOf(body, mask)
  const details = (attempts: number) => ({ url, status, attempts, excerpt, wait: formatWait(wait) })
  return failed('SERVICE_FAILED', details, retryAfter(wait))
}

/** Who asks for no wait, or for one until a moment that is past here, is not asked again at once. */
function retryAfter(wait: number = 0): FaultOptions {
  if (wait > LONGEST_WAIT) return { retry: 'never' }
  return { retry: wait === 0 ? 'backoff' : { after: wait } }
}

/** Only the origin of the target is told: the rest may hold anything, the key included. */
function redirected(answer: Answer, { url, workspace }: RequestContext): Failure {
  const { status } = answer
  const location = headerOf(answer, 'location') ?? ''
  const known = location !== '' && URL.canParse(location, url)
  const target = known ? originOf(new URL(location, url)) : 'an address it does not give'
  return failed('REDIRECTED', () => ({ url, status, target, workspace }))
}

/** `javascript:` and the like have an origin that is called `null`. */
function originOf({ origin, protocol }: URL): string {
  return origin === 'null' ? protocol : origin
}
