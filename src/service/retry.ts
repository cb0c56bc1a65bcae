import { setTimeout as sleep } from 'node:timers/promises'
import type { Failure, Retry, AttemptResult } from './attempt-result.ts'

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

/** The time limits of one attempt, in milliseconds. */
export interface Budget {
  /** Until the headers. */
  readonly headers: number
  /** Until the end of the response. */
  readonly total: number
}

/** The result of a request after all its attempts. */
export type RequestResult<T> =
  | { readonly kind: 'succeeded'; readonly value: T }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly attempts: number }

/** Options of {@link withRetries}. */
export interface RetryOptions<T> {
  readonly attempt: (budget: Budget) => Promise<AttemptResult<T>>
  /** The time limit of all attempts together, in milliseconds. */
  readonly timeout: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called before each delay. */
  readonly onRetry: (failure: { failure: Failure; attempt: number; wait: number }) => void
}

/** The maximum number of attempts. */
export const MAX_ATTEMPTS = 3

/**
 * Runs attempts until one succeeds, a retry can't help or the time is over. Own code, because undici's
 * RetryAgent has no jitter, ignores header timeouts and combines responses by Range.
 *
 * A delay that the service requested extends the time limit; other delays count towards it.
 *
 * @throws errors of `attempt` and `sleep`, such as an abort
 */
export async function withRetries<T>(options: RetryOptions<T>): Promise<RequestResult<T>> {
  const { attempt, timeout, clock } = options
  let deadline = clock.elapsed() + timeout
  for (let count = 1; ; count++) {
    const result = await attempt(nextBudget(deadline - clock.elapsed(), timeout))
    if (result.kind === 'succeeded') return result
    const { failure } = result
    const wait = nextWait(failure.retry, { count, remaining: deadline - clock.elapsed(), clock })
    if (wait === undefined) return { kind: 'failed', failure, attempts: count }
    if (failure.retry !== 'backoff') deadline += wait
    options.onRetry({ failure, attempt: count, wait })
    await clock.sleep(wait, options.signal)
  }
}

/** A third of the time for headers, so there is time for a retry after a stalled attempt. */
function nextBudget(remaining: number, timeout: number): Budget {
  return { headers: Math.min(timeout / MAX_ATTEMPTS, remaining), total: remaining }
}

interface RetryState {
  /** Attempts made. */
  readonly count: number
  /** Milliseconds until the deadline. */
  readonly remaining: number
  readonly clock: Clock
}

/** Returns the milliseconds until the next attempt; `undefined` if there is none. */
function nextWait(retry: Retry, { count, remaining, clock }: RetryState): number | undefined {
  if (retry === 'never' || count === MAX_ATTEMPTS || remaining <= 0) return undefined
  if (retry !== 'backoff') return retry.after
  const wait = clock.random() * Math.min(8000, 500 * 2 ** (count - 1))
  return wait < remaining ? wait : undefined
}
