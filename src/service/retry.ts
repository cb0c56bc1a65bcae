import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorCode, ErrorDetails } from '../errors/catalogue.ts'
import { copyError, mapDetails, PromptsError } from '../errors/prompts-error.ts'
import type { Mask } from './mask.ts'

/** Time and randomness, which tests replace. */
export const clock = {
  /** Monotonic time in milliseconds, for time limits. */
  elapsed: (): number => performance.now(),
  random: (): number => Math.random(),
  sleep: (milliseconds: number, signal: AbortSignal): Promise<void> =>
    sleep(milliseconds, undefined, { signal }),
  timer: (milliseconds: number, act: () => void): Timer => setTimeout(act, milliseconds),
}

/** A time limit, which can be ended or begin again. */
export interface Timer {
  close(): void
  refresh(): void
}

/**
 * How to send the same request again. `backoff`: after a random delay. `after`: after the delay that the
 * service requested, in milliseconds. `undefined`: not at all.
 */
export type Retry = 'backoff' | { readonly after: number } | undefined

/** Thrown by an attempt that failed. It never leaves the client, because it may contain the key. */
export class AttemptFailure<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code
  readonly details: ErrorDetails[Code]
  readonly retry: Retry
  /** Of the response, for functions of a custom service. */
  declare readonly status?: number

  /** @param details - a field `attempts` gets the number of attempts */
  constructor(
    code: Code,
    details: ErrorDetails[Code],
    { retry, cause }: { readonly retry?: Retry; readonly cause?: unknown } = {},
  ) {
    super(code, { cause })
    this.code = code
    this.details = details
    this.retry = retry
  }
}

/** The time limits of one attempt, in milliseconds. */
export interface Budget {
  /** Until the headers. */
  readonly headers: number
  /** Until the end of the response. */
  readonly total: number
}

/** What all attempts of a request share. */
export interface RetryContext {
  /** The time limit of all attempts together, in milliseconds. */
  readonly timeout: number
  readonly mask: Mask
  readonly signal: AbortSignal
}

/** An attempt that failed, before the wait for the next one. */
export interface FailedAttempt {
  readonly error: PromptsError
  /** Counted from 1. */
  readonly attempt: number
  readonly attempts: number
  /** Milliseconds until the next one. */
  readonly wait: number
}

const MAX_ATTEMPTS = 3

/**
 * Runs attempts until one succeeds, a retry can't help or the time is over. Own code, because undici's
 * RetryAgent has no jitter, ignores header timeouts and combines responses by Range.
 *
 * A delay that the service requested extends the time limit; other delays count towards it.
 *
 * @param attempt - throws {@link AttemptFailure} if it fails
 * @param onRetry - called before each retry; `undefined` for none
 */
export async function withRetries<T>(
  { timeout, mask, signal }: RetryContext,
  attempt: (budget: Budget) => Promise<T>,
  onRetry: ((failed: FailedAttempt) => void) | undefined,
): Promise<T> {
  let deadline = clock.elapsed() + timeout
  for (let count = 1; ; count++) {
    signal.throwIfAborted()
    try {
      const total = Math.min(timeout, deadline - clock.elapsed())
      // A third of the time for headers, if there may be a retry after a stalled attempt.
      const isLast = onRetry === undefined || count === MAX_ATTEMPTS
      const budget = { headers: isLast ? total : Math.min(timeout / MAX_ATTEMPTS, total), total }
      return await attempt(budget).finally(() => signal.throwIfAborted())
    } catch (failure) {
      if (!(failure instanceof AttemptFailure)) throw failure
      const wait = nextWait(failure.retry, count, deadline - clock.elapsed())
      if (wait === undefined || onRetry === undefined) throw toError(failure, count, mask)
      if (failure.retry !== 'backoff') deadline += wait
      const error = toError(failure, 1, mask)
      onRetry({ error, attempt: count, attempts: MAX_ATTEMPTS, wait })
      // A delay rejects with its own error instead of the abort's reason.
      await clock.sleep(wait, signal).finally(() => signal.throwIfAborted())
    }
  }
}

/** Returns the milliseconds until the next attempt; `undefined` if there is none. */
function nextWait(retry: Retry, count: number, remaining: number): number | undefined {
  if (count === MAX_ATTEMPTS || remaining <= 0) return undefined
  if (retry !== 'backoff') return retry?.after
  const wait = clock.random() * Math.min(8000, 500 * 2 ** (count - 1))
  return wait < remaining ? wait : undefined
}

/** Returns the error after a number of attempts, without the key. */
function toError(
  { code, details, cause, status }: AttemptFailure,
  attempts: number,
  mask: Mask,
): PromptsError {
  const counted = 'attempts' in details ? { ...details, attempts } : details
  const masked = cause === undefined ? {} : { cause: copyError(cause, mask) }
  const error = new PromptsError(code, mapDetails(counted, mask), masked)
  return status === undefined ? error : Object.assign(error, { status })
}

/** Milliseconds. A longer wait is an error that states it, so that the user decides. */
const MAX_WAIT = 60_000

/** Whether to retry after a `Retry-After`: with backoff if there is none, or one that is over. */
export function requestedRetry(delay: number = 0): Retry {
  if (delay > MAX_WAIT) return undefined
  return delay === 0 ? 'backoff' : { after: delay }
}

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/

/**
 * Returns the delay of a `Retry-After` header.
 *
 * @param now - milliseconds since the epoch
 * @returns milliseconds, not negative, possibly `Infinity`; `undefined` if there is no valid header
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  const wait = NUMBER.test(text) ? Number(text) * 1000 : parseDate(text) - now
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** The date formats of RFC 9110, section 5.6.7. `Date.parse` accepts almost any word with a digit. */
const DATE = /^[A-Z][a-z]{2,8},? (?:[\w ]{6,11}|\d{2}-\w{3}-\d{2}) \d{2}:\d{2}:\d{2} (?:GMT|\d{4})$/

function parseDate(text: string): number {
  if (!DATE.test(text)) return Number.NaN
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
}

const DAY = 86_400_000

/** Formats a delay; `''` if there is none. */
export function formatWait(milliseconds: number | undefined): string {
  if (milliseconds === undefined || milliseconds === 0) return ''
  return milliseconds > DAY ? 'more than a day' : `${Math.ceil(milliseconds / 1000)} s`
}
