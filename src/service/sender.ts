import { setMaxListeners } from 'node:events'
import { parseBaseUrl } from '../config/base-url.ts'
import type { ResolvedOptions } from '../config/resolve-options.ts'
import { debug } from '../debug/debug.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { chooseProxy, createDispatcher, type HttpResponse, receive, type Request } from './http.ts'
import { createMask } from './mask.ts'
import { type Budget, type FailedAttempt, withRetries } from './retry.ts'

/** What happens while the service is read: prompts are read, or a request is about to be repeated. */
export type Progress =
  | { readonly kind: 'read'; readonly done: number; readonly total: number }
  | ({ readonly kind: 'retry'; readonly url: string } & FailedAttempt)

/** How to cancel and observe the requests of one piece of work. */
export interface CallOptions {
  /** Aborts current and later requests, which reject with its reason. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/**
 * Options of {@link createSender}. The caller limits its requests to `concurrency` too, as
 * `forEachConcurrent` does: time that a request waits for a connection counts towards its time limit.
 */
export interface SenderOptions
  extends
    CallOptions,
    Pick<ResolvedOptions, 'name' | 'secrets' | 'concurrency' | 'timeout' | 'processEnv'>,
    Partial<Pick<ResolvedOptions, 'baseUrlSource'>> {
  /** Also closes the connections. */
  readonly signal: AbortSignal
  /** Called with what a person should know of an answer that is used all the same. */
  readonly onWarning?: ((message: string) => void) | undefined
}

/** A request to one origin, with a path relative to the base address. Its limit is 32 MiB by default. */
export interface OutgoingRequest
  extends
    Pick<Request, 'path' | 'keySource' | 'method' | 'body'>,
    Partial<Pick<Request, 'headers' | 'limit'>> {
  /** Whether it may be sent again after a failure. Default: true. */
  readonly isRepeatable?: boolean
}

/**
 * Sends a request, with retries and time limits.
 *
 * @param read - reads the response to each attempt
 */
export type Send = <T>(
  request: OutgoingRequest,
  read: (response: HttpResponse, request: Request) => T,
) => Promise<T>

export const MEBIBYTE: number = 1024 * 1024

/**
 * Opens connections to one origin, the first one when a request is sent. They do not keep the process alive.
 *
 * @param baseUrl - the part before all paths
 * @param allowHttp - whether http may go to other machines. Default: false
 */
export function createSender(options: SenderOptions, baseUrl: string, allowHttp = false): Send {
  const { name: workspace, timeout, concurrency: connections, signal } = options
  const mask = createMask(options.secrets)
  const address = parseBaseUrl(baseUrl, allowHttp)
  if ('problem' in address)
    throw new PromptsError('BASE_URL_INVALID', {
      problem: mask(address.problem),
      source: options.baseUrlSource,
    })
  const { origin, host, prefix } = address
  const proxy = chooseProxy(address, options.processEnv, workspace)
  // Every request and every socket listens to it.
  setMaxListeners(0, signal)
  const dispatcher = createDispatcher({ origin, timeout, signal }, proxy, connections)
  // Immediately, or undici would connect again for the aborted requests.
  signal.addEventListener('abort', () => dispatcher.destroy())
  const peer = proxy === undefined ? host : `the proxy ${proxy.origin}`
  const shared = { workspace, timeout, mask, signal, peer, origin }
  return ({ limit = 32 * MEBIBYTE, isRepeatable = true, headers = {}, ...outgoing }, read) => {
    const path = prefix + outgoing.path
    // A query may have a secret.
    const url = origin + path.replace(/\?.*/s, '')
    // In lower case, so that those of the request replace the default ones.
    const specific = Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value])
    const all: Request['headers'] = { ...HEADERS, ...Object.fromEntries(specific) }
    const request: Request = { ...shared, ...outgoing, path, headers: all, limit, url }
    const attempt = async (budget: Budget) => {
      const response = await receive(dispatcher, request, budget)
      debug('service', () => `${mask(url)}: status ${response.status}`)
      return read(response, request)
    }
    const onRetry = (failed: FailedAttempt): void => {
      debug('service', () => `retry ${failed.attempt} in ${failed.wait} ms: ${failed.error.why}`)
      options.onProgress?.({ kind: 'retry', url: mask(url), ...failed })
    }
    return withRetries(request, attempt, isRepeatable ? onRetry : undefined)
  }
}

const HEADERS = {
  accept: 'application/json',
  // A compressed response could be a decompression bomb, and prompts are small.
  'accept-encoding': 'identity',
  'user-agent': 'unplugin-prompts',
}
