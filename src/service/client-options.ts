import type { Environment } from '../core/prompt.ts'
import type { PromptsError } from '../errors/prompts-error.ts'

/** A request that is about to be sent again. */
export interface RetryEvent {
  readonly url: string
  /** The attempt that failed, counted from 1. */
  readonly attempt: number
  /** How many attempts there are at most. */
  readonly attempts: number
  /** Milliseconds until the next one. */
  readonly wait: number
  /** Why this attempt failed. */
  readonly error: PromptsError
}

/** How to reach the service. Everything is resolved: nothing is read from the environment. */
export interface PromptServiceOptions {
  /** Name of the workspace in the app, for errors. */
  readonly workspace: string
  /** Address of the service: https, or http to this machine. A path prefix is kept. */
  readonly baseUrl: string
  readonly key: string
  /** Where the key came from, for errors: such as `PROMPTS_API_KEY in .env.local`. */
  readonly keySource: string
  /** What the key serves. */
  readonly environment: Environment
  /** Most requests in flight, and most connections. */
  readonly concurrency: number
  /** Deadline of one request with all its attempts, in milliseconds. */
  readonly timeout: number
  /** Where `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are looked up: `process.env`. */
  readonly proxyEnv: Readonly<Record<string, string | undefined>>
  /** Told before each wait for another attempt. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined
  readonly onWarning?: ((message: string) => void) | undefined
  /** Aborts everything: what is in flight, and what comes later, rejects with its reason. */
  readonly signal?: AbortSignal | undefined
}
