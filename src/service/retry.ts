import { setTimeout as sleep } from 'node:timers/promises'
import type { Failure, Retry, AttemptResult } from './attempt-result.ts'

/** Time and chance, so that tests can be exact. */
export interface Clock {
  /** Milliseconds since the epoch: for dates in headers. */
  wall(): number
  /** Milliseconds from any fixed moment, never going back: for deadlines. */
  elapsed(): number
  /** From 0 up to but not including 1. */
  random(): number
  /** @throws the abort when the signal says so */
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

/** How long one attempt may take, in milliseconds. */
export interface Budget {
  /** Until its headers have arrived. */
  readonly headers: number
  /** Until its whole answer has arrived. */
  readonly total: number
}

/** How a request ended, after all its attempts. */
export type RequestResult<T> =
  | { readonly kind: 'succeeded'; readonly value: T }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly attempts: number }

/** A request to be tried up to three times. */
export interface RetryOptions<T> {
  readonly attempt: (budget: Budget) => Promise<AttemptResult<T>>
  /** The deadline of all attempts together, in milliseconds. */
  readonly timeout: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Told before each wait. */
  readonly onRetry: (failure: { failure: Failure; attempt: number; wait: number }) => void
}

/** How often a request is sent at most. */
export const MAX_ATTEMPTS = 3

/**
 * Sends a whole request again while that may help and the deadline allows it. Written by hand:
 * undici's RetryAgent has no jitter, ignores header timeouts and stitches answers by Range.
 *
 * A wait that the service asked for pushes the deadline back; our own waits use it up.
 *
 * @throws what `attempt` and the clock's `sleep` throw, such as an abort
 */
export async function withRetries<T>(options: RetryOptions<T>): Promise<RequestResult<T>> {
  const { attempt, timeout, clock } = options
  let deadline = clock.elapsed() + timeout
  for (let count = 1; ; count++) {
    // oxlint-disable no-await-in-loop -- attempts follow one another
    const result = await attempt(nextBudget(deadline - clock.elapsed(), timeout))
    if (result.kind === 'succeeded') return result
    const { failure } = result
    const wait = nextWait(failure.retry, { count, remaining: deadline - clock.elapsed(), clock })
    if (wait === undefined) return { kind: 'failed', failure, attempts: count }
    if (failure.retry !== 'backoff') deadline += wait
    options.onRetry({ failure, attempt: count, wait })
    await clock.sleep(wait, options.signal)
    // oxlint-enable no-await-in-loop
  }
}

/** A third of the deadline for headers, so that a retry still fits behind a stalled attempt. */
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

/** Milliseconds until the next attempt, or `undefined` where there is none. */
function nextWait(retry: Retry, { count, remaining, clock }: RetryState): number | undefined {
  if (retry === 'never' || count === MAX_ATTEMPTS || remaining <= 0) return undefined
  if (retry !== 'backoff') return retry.after
  const wait = clock.random() * Math.min(8000, 500 * 2 ** (count - 1))
  return wait < remaining ? wait : undefined
}
