import { copyError } from '../errors/copy-error.ts'
import type { ErrorCode, ErrorDetails } from '../errors/catalogue.ts'
import { mapDetails, PromptsError } from '../errors/prompts-error.ts'
import type { Mask } from './mask.ts'

/**
 * Whether to send the same request again. `backoff`: after a random delay. `after`: after the delay that
 * the service requested, in milliseconds.
 */
export type Retry = 'never' | 'backoff' | { readonly after: number }

/** Thrown by an attempt that failed. It never leaves the client, because it may contain the key. */
export class AttemptFailure<Code extends ErrorCode = ErrorCode> extends Error {
  readonly retry: Retry
  /** Returns the error after a number of attempts, without the key. */
  readonly toError: (attempts: number, mask: Mask) => PromptsError

  /** @param details - a field `attempts` gets the number of attempts */
  constructor(
    code: Code,
    details: ErrorDetails[Code],
    { retry = 'never', cause }: { readonly retry?: Retry; readonly cause?: unknown } = {},
  ) {
    super(code)
    this.retry = retry
    this.toError = (attempts, mask) =>
      new PromptsError(
        code,
        mapDetails('attempts' in details ? { ...details, attempts } : details, mask),
        cause === undefined ? {} : { cause: copyError(cause, mask) },
      )
  }
}
