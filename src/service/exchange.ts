import { MAX_TIMER_DELAY } from '../config/option-problems.ts'
import { EXCERPT_BYTES } from './mask.ts'
import { isCertificateFailure } from './network-failure.ts'
import type { Budget } from './retry.ts'

/** What came too late: the headers of an answer, or its whole. */
type TimeoutStage = 'headers' | 'body'

/** Headers by lower-case name; one that was repeated is an array. */
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What came back over the wire. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  /** Whole for status 200, as it was encoded; else at most what an excerpt needs. */
  readonly body: Uint8Array
}

/** A header by its lower-case name; repeated ones are joined with `, `. */
export function getHeader(
  { headers }: Pick<HttpResponse, 'headers'>,
  name: string,
): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** How one request ended. */
export type Outcome =
  | { readonly kind: 'response'; readonly response: HttpResponse }
  /** No connection, or no HTTP answer on it. */
  | { readonly kind: 'unreachable'; readonly cause: unknown }
  | { readonly kind: 'untrusted'; readonly cause: unknown }
  | { readonly kind: 'timed-out'; readonly stage: TimeoutStage }
  /** Status 200, but the body broke off. */
  | { readonly kind: 'truncated'; readonly cause: unknown }
  | { readonly kind: 'too-large' }

/** What an answer may take. */
export interface ExchangeLimits {
  /** Most bytes that a body of status 200 may have. */
  readonly limit: number
  readonly budget: Budget
}

/** What undici gives to end a request by. */
interface Connection {
  abort(reason: Error): void
}

/**
 * One attempt at a request: the handler that undici's `dispatch` tells how the answer comes in. It
 * ends the request when its time is over or its answer is too large. undici's `request` would make
 * a stream and an abort signal for each answer, about half of a read's processor time.
 */
export class Exchange {
  /** Never rejects. */
  readonly outcome: Promise<Outcome>
  readonly #settle: (outcome: Outcome) => void
  readonly #headersTimer: NodeJS.Timeout
  readonly #totalTimer: NodeJS.Timeout
  readonly #chunks: Uint8Array[] = []
  #left: number
  #responseHead: Omit<HttpResponse, 'body'> | undefined
  #connection: Connection | undefined
  #isDone = false

  constructor({ limit, budget }: ExchangeLimits) {
    let settle: (outcome: Outcome) => void = () => {}
    this.outcome = new Promise((resolve) => {
      settle = resolve
    })
    this.#settle = settle
    this.#left = limit
    this.#headersTimer = this.#endAfter(budget.headers)
    // One deadline over everything: undici's bodyTimeout starts again with each byte.
    this.#totalTimer = this.#endAfter(budget.total)
  }

  /** Comes late where a connection had to be made first, perhaps too late. */
  onRequestStart(connection: Connection): void {
    this.#connection = connection
    if (this.#isDone) this.#abort()
  }

  onResponseStart(_connection: Connection, status: number, headers: Headers): void {
    const isProvisional = status < 200
    if (isProvisional) return
    this.#responseHead = { status, headers }
    if (status !== 200) {
      this.#left = EXCERPT_BYTES
      return
    }
    clearTimeout(this.#headersTimer)
    if (Number(headers['content-length']) > this.#left) this.#abortWith({ kind: 'too-large' })
  }

  onResponseData(_connection: Connection, chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#left -= chunk.length
    if (this.#left < 0) this.#abortWith({ kind: 'too-large' })
  }

  onResponseEnd(): void {
    if (this.#responseHead !== undefined) this.#end(this.#toOutcome(this.#responseHead))
  }

  onResponseError(_connection: Connection, cause: unknown): void {
    if (this.#responseHead !== undefined) this.#abortWith({ kind: 'truncated', cause })
    else this.#end({ kind: isCertificateFailure(cause) ? 'untrusted' : 'unreachable', cause })
  }

  #endAfter(milliseconds: number): NodeJS.Timeout {
    const expire = (): void => {
      this.#abortWith({
        kind: 'timed-out',
        stage: this.#responseHead === undefined ? 'headers' : 'body',
      })
    }
    return setTimeout(expire, Math.min(milliseconds, MAX_TIMER_DELAY))
  }

  /** Ends it before its answer is whole. An error is told with whatever came of its body. */
  #abortWith(outcome: Outcome): void {
    const head = this.#responseHead
    this.#end(head === undefined || head.status === 200 ? outcome : this.#toOutcome(head))
    this.#abort()
  }

  #abort(): void {
    this.#connection?.abort(new Error('not needed any more'))
  }

  #end(outcome: Outcome): void {
    this.#isDone = true
    clearTimeout(this.#headersTimer)
    clearTimeout(this.#totalTimer)
    this.#settle(outcome)
  }

  #toOutcome(head: Omit<HttpResponse, 'body'>): Outcome {
    const [first = EMPTY, ...more] = this.#chunks
    const body = more.length === 0 ? first : Buffer.concat(this.#chunks)
    return { kind: 'response', response: { ...head, body } }
  }
}

const EMPTY = new Uint8Array()
