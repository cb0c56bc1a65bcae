import { setMaxListeners } from 'node:events'
import { keyKind } from '../core/api-key.ts'
import { parseBaseUrl } from '../core/base-url.ts'
import type { Environment } from '../core/prompt.ts'
import { chooseProxy } from '../core/proxy.ts'
import type { PromptService } from '../core/service.ts'
import { PromptsError } from '../errors.ts'
import { HostedPrompts } from './hosted-prompts.ts'
import { createTransport } from './http.ts'
import { createMask } from './mask.ts'
import { Requests } from './requests.ts'
import { type Clock, systemClock } from './retry.ts'

/** A request that is about to be sent again. */
export interface RetryEvent {
  readonly url: string
  /** The attempt that failed, counted from 1. */
  readonly attempt: number
  /** Milliseconds until the next one. */
  readonly wait: number
  /** What the request would have been rejected with. */
  readonly error: PromptsError
}

/** Everything is resolved already; nothing is read from the environment here. */
export interface PromptServiceOptions {
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

/**
 * The client of the hosted prompt service. Nothing is sent before the first call, and one that is
 * never closed does not keep the process alive.
 *
 * Its two reads reject with a PromptsError, in which the key never stands, or with the reason of
 * the abort.
 *
 * @param clock - time and chance, for tests
 * @throws PromptsError BASE_URL_INVALID, KEY_MALFORMED, KEY_KIND_UNKNOWN, ENVIRONMENT_MISMATCH;
 *   SERVICE_UNREACHABLE where the proxy variables can't be used
 */
export function createPromptService(
  options: PromptServiceOptions,
  clock: Clock = systemClock,
): PromptService {
  checkKey(options)
  const base = parseBaseUrl(options.baseUrl)
  if (base.kind === 'unusable') throw new PromptsError('BASE_URL_INVALID', base)
  const proxy = chooseProxy(base, options.proxyEnv)
  if (proxy.kind === 'unusable') {
    const { problem: reason } = proxy
    throw new PromptsError('SERVICE_UNREACHABLE', { url: base.origin, reason, attempts: 0 })
  }
  …
}
