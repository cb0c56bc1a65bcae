import type { Environment } from '../core/prompt.ts'
import type { PromptsError } from '../errors/prompts-error.ts'

/** A request that is about to be sent again. */
export interface RetryEvent {
  readonly url: string
  /** The attempt that failed, counted from 1. */
  readonly attempt: number
  readonly attempts: number
  /** Milliseconds until the next one. */
  readonly wait: number
  /** Why this attempt failed. */
  readonly error: PromptsError
}

/** What happens while the service is read: prompts are read, or a request is about to be repeated. */
export type Progress =
  | { readonly kind: 'read'; readonly done: number; readonly total: number }
  | ({ readonly kind: 'retry' } & RetryEvent)

/** How to cancel and observe the requests of one piece of work. */
export interface CallOptions {
  /** Aborts current and later requests, which reject with its reason. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** Options of the client. Nothing is read from the environment. */
export interface PromptServiceOptions {
  /** Name of the workspace in the app, for errors. */
  readonly workspace: string
  /** Address of the service: https, or http to this machine. A path prefix is kept. */
  readonly baseUrl: string
  readonly key: string
  /** Source of the key, for errors, such as `PROMPTS_API_KEY in .env.local`. */
  readonly keySource: string
  readonly environment: Environment
  /**
   * Maximum number of connections. The caller limits its requests too, as `mapConcurrent` does: time
   * that a request waits for a connection counts towards its time limit.
   */
  readonly concurrency: number
  /** Time limit of one request with all its attempts, in milliseconds. */
  readonly timeout: number
  /** The environment with `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`: `process.env`. */
  readonly proxyEnv: Readonly<Record<string, string | undefined>>
  /** Called before the delay of each retry. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined
  readonly onWarning?: ((message: string) => void) | undefined
  /** Aborts current and later requests, which reject with its reason. */
  readonly signal?: AbortSignal | undefined
}
