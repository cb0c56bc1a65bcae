import { copyError } from '../errors/copy-error.ts'
import type { ErrorCode, ErrorDetails } from '../errors/catalogue.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { type Mask, maskDetails } from './mask.ts'

/**
 * Whether the same request may work when sent again. `backoff`: after a random wait. `after`: the
 * service asked to wait that many milliseconds.
 */
export type Retry = 'never' | 'backoff' | { readonly after: number }

/** A failed attempt as a value: thrown once, by the service, when no retry is left. */
export interface Failure {
  readonly retry: Retry
  /** @returns the error, with the key masked wherever it could stand */
  toError(attempts: number, mask: Mask): PromptsError
}

/** What one attempt came to. */
export type AttemptResult<T> =
  | { readonly kind: 'succeeded'; readonly value: T }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** What a fault may know besides its details. */
export interface FailureOptions {
  /** @default 'never' */
  readonly retry?: Retry
  readonly cause?: unknown
}

/** A failed attempt. @param details - from the number of attempts, which only the end knows */
export function failed<Code extends ErrorCode>(
  code: Code,
  details: (attempts: number) => ErrorDetails[Code],
  { retry = 'never', cause }: FailureOptions = {},
): { readonly kind: 'failed'; readonly failure: Failure } {
  const toError = (attempts: number, mask: Mask): PromptsError =>
    new PromptsError(
      code,
      maskDetails(details(attempts), mask),
      cause === undefined ? {} : { cause: copyError(cause, mask) },
    )
  return { kind: 'failed', failure: { retry, toError } }
}

/** A successful attempt. */
export function succeeded<T>(value: T): { readonly kind: 'succeeded'; readonly value: T } {
  return { kind: 'succeeded', value }
}
