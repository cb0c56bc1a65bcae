import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorCode, ErrorDetails } from '../errors/catalogue.ts'
import { copyError } from '../errors/copy-error.ts'
import { mapDetails, PromptsError } from '../errors/prompts-error.ts'
import type { Mask } from './mask.ts'

/** Time and randomness, which tests replace. */
export interface Clock {
  /** Milliseconds since the epoch: for dates in headers. */
  wall(): number
  /** Monotonic time in milliseconds, for time limits. */
  elapsed(): number
  /** From 0 up to but not including 1. */
  random(): number
  /** @throws the reason of an abort */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** The clock of this machine. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  elapsed: () => performance.now(),
  random: () => Math.random(),
  sleep: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, { signal })
  },
}

/**
 * Whether to send the same request again. `backoff`: after a random delay. `after`: after the delay that
 * the service requested, in milliseconds.
 */
export type Retry = 'never' | 'backoff' | { readonly after: number }

/** Thrown by an attempt that failed. It never leaves the client, because it may contain the key. */
export class AttemptFailure<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code
  readonly details: ErrorDetails[Code]
  readonly retry: Retry

  /** @param details - a field `attempts` gets the number of attempts */
  constructor(
    code: Code,
    details: ErrorDetails[Code],
    { retry = 'never', cause }: { readonly retry?: Retry; readonly cause?: unknown } = {},
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

/** Options of {@link withRetries}. */
export interface RetryOptions<T> {
  /** Throws {@link AttemptFailure} if it fails. */
  readonly attempt: (budget: Budget) => Promise<T>
  /** The time limit of all attempts together, in milliseconds. */
  readonly timeout: number
  readonly clock: Clock
  readonly mask: Mask
  readonly signal: AbortSignal
  /** Called before each delay. */
  readonly onRetry: (failed: { error: PromptsError; attempt: number; wait: number }) => void
}

/** The maximum number of attempts. */
export const MAX_ATTEMPTS = 3

/**
 * Runs attempts until one succeeds, a retry can't help or the time is over. Own code, because undici's
 * RetryAgent has no jitter, ignores header timeouts and combines responses by Range.
 *
 * A delay that the service requested extends the time limit; other delays count towards it.
 *
 * @throws PromptsError for the last failure; other errors of `attempt`; the reason of an abort
 */
export async function withRetries<T>(options: RetryOptions<T>): Promise<T> {
  const { attempt, timeout, clock, mask, signal, onRetry } = options
  let deadline = clock.elapsed() + timeout
  for (let count = 1; ; count++) {
    try {
      return await attempt(nextBudget(Math.min(timeout, deadline - clock.elapsed()), timeout))
    } catch (failure) {
      if (!(failure instanceof AttemptFailure)) throw failure
      const wait = nextWait(failure.retry, { count, remaining: deadline - clock.elapsed(), clock })
      if (wait === undefined) throw toError(failure, count, mask)
      if (failure.retry !== 'backoff') deadline += wait
      onRetry({ error: toError(failure, 1, mask), attempt: count, wait })
      // A delay rejects with its own error instead of the abort's reason.
      await clock.sleep(wait, signal).finally(() => signal.throwIfAborted())
    }
  }
}

/** A third of the time for headers, so there is time for a retry after a stalled attempt. */
function nextBudget(remaining: number, timeout: number): Budget {
  return { headers: Math.min(timeout / MAX_ATTEMPTS, remaining), total: remaining }
}

/** Returns the milliseconds until the next attempt; `undefined` if there is none. */
function nextWait(
  retry: Retry,
  { count, remaining, clock }: { count: number; remaining: number; clock: Clock },
): number | undefined {
  if (retry === 'never' || count === MAX_ATTEMPTS || remaining <= 0) return undefined
  if (retry !== 'backoff') return retry.after
  const wait = clock.random() * Math.min(8000, 500 * 2 ** (count - 1))
  return wait < remaining ? wait : undefined
}

/** Returns the error after a number of attempts, without the key. */
function toError(
  { code, details, cause }: AttemptFailure,
  attempts: number,
  mask: Mask,
): PromptsError {
  const counted = 'attempts' in details ? { ...details, attempts } : details
  const masked = cause === undefined ? {} : { cause: copyError(cause, mask) }
  return new PromptsError(code, mapDetails(counted, mask), masked)
}
