import { copyError } from '../errors/copy-error.ts'
import type { ErrorCode, ErrorDetails } from '../errors/catalogue.ts'
import { mapDetails, PromptsError } from '../errors/prompts-error.ts'
import type { Mask } from './mask.ts'

/**
 * Whether to send the same request again. `backoff`: after a random delay. `after`: after the delay that
 * the service requested, in milliseconds.
 */
export type Retry = 'never' | 'backoff' | { readonly after: number }

/** A failed attempt. It is thrown as an error if there are no retries left. */
export interface Failure {
  readonly retry: Retry
  /** @returns the error, with the key masked */
  toError(attempts: number, mask: Mask): PromptsError
}

/** The result of one attempt. */
export type AttemptResult<T> =
  | { readonly kind: 'succeeded'; readonly value: T }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Options of {@link failed}. */
export interface FailureOptions {
  /** @default 'never' */
  readonly retry?: Retry
  readonly cause?: unknown
}

/** Creates the result of a failed attempt. @param details - by the number of attempts */
export function failed<Code extends ErrorCode>(
  code: Code,
  details: (attempts: number) => ErrorDetails[Code],
  { retry = 'never', cause }: FailureOptions = {},
): { readonly kind: 'failed'; readonly failure: Failure } {
  const toError = (attempts: number, mask: Mask): PromptsError =>
    new PromptsError(
      code,
      mapDetails(details(attempts), mask),
      cause === undefined ? {} : { cause: copyError(cause, mask) },
    )
  return { kind: 'failed', failure: { retry, toError } }
}

/** Creates the result of a successful attempt. */
export function succeeded<T>(value: T): { readonly kind: 'succeeded'; readonly value: T } {
  return { kind: 'succeeded', value }
}

/** What errors and response readers know about one request. */
export interface RequestContext {
  /** Name of the workspace. */
  readonly workspace: string
  readonly url: string
  /** Such as `GET /api/v1/prompts/support-triage`. */
  readonly subject: string
  /** The host or the proxy, for messages. */
  readonly peer: string
  /** Source of the key, such as `PROMPTS_API_KEY in .env.local`. */
  readonly keySource: string
  /** Time limit of all attempts together, in milliseconds. */
  readonly timeout: number
  /** Maximum size of the response, in bytes. */
  readonly limit: number
  readonly mask: Mask
  /** Milliseconds since the epoch. */
  now(): number
}
