import { setMaxListeners } from 'node:events'
import { parseBaseUrl } from '../config/base-url.ts'
import { debug } from '../debug/debug.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import type { PromptServiceOptions } from './client-options.ts'
import { createDispatcher, type Outcome, receive } from './http.ts'
import { interpretOutcome, type Readers, type RequestContext } from './interpret-outcome.ts'
import type { Mask } from './mask.ts'
import { chooseProxy } from './proxy.ts'
import { type Clock, MAX_ATTEMPTS, withRetries } from './retry.ts'

/** One request. */
export interface ReadRequest<T> {
  /** Relative to the base address. */
  readonly path: string
  /** Maximum size of the response, in bytes. */
  readonly limit: number
  readonly readers: Readers<T>
}

/** Sends the requests to one service, with limited concurrency, retries, time limits and abort. */
export interface Requests {
  /** @throws PromptsError, or the reason of the abort */
  send<T>(read: ReadRequest<T>): Promise<T>
  /** Aborts all requests and closes the connections. May be called again. */
  close(): Promise<void>
}

/**
 * Creates the sender of requests to one service. It opens no connection before the first request.
 *
 * @param mask - masks the key in messages
 * @throws PromptsError BASE_URL_INVALID; SERVICE_UNREACHABLE if the proxy variables are invalid
 */
export function createRequests(options: PromptServiceOptions, mask: Mask, clock: Clock): Requests {
  const { timeout, workspace, keySource, concurrency: connections } = options
  const { base, proxy } = resolveRoute(options, mask)
  const closing = new AbortController()
  const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])])
  // Every request and every socket listens to it.
  setMaxListeners(0, signal)
  const { origin } = base
  const route = { origin, proxy: proxy?.url, connections, connectTimeout: timeout / 3, signal }
  const dispatcher = createDispatcher(route)
  // Immediately, or undici would connect again for the aborted requests.
  signal.addEventListener('abort', () => dispatcher.destroy(), { once: true })
  const peer = proxy === undefined ? base.host : `the proxy ${proxy.name}`
  const now = (): number => clock.wall()
  const shared = { workspace, keySource, timeout, mask, peer, now }

  return {
    async send({ path: relative, limit, readers }) {
      const path = base.prefix + relative
      const url = origin + path
      const context: RequestContext = { ...shared, limit, url, subject: `GET ${path}` }
      const headers = createHeaders(options.key)
      return withRetries({
        timeout,
        clock,
        mask,
        signal,
        async attempt(budget) {
          signal.throwIfAborted()
          const outcome = await receive(dispatcher, { origin, path, headers, limit, budget })
          signal.throwIfAborted()
          debug('service', () => `${mask(url)}: ${describe(outcome)}`)
          return interpretOutcome(outcome, context, readers)
        },
        onRetry({ error, attempt, wait }) {
          debug('service', () => `retry ${attempt} in ${wait} ms: ${error.why}`)
          options.onRetry?.({ url: mask(url), attempt, attempts: MAX_ATTEMPTS, wait, error })
        },
      })
    },
    async close() {
      closing.abort(new DOMException('The prompt service was closed.', 'AbortError'))
      await dispatcher.destroy()
    },
  }
}

/** Returns where to send requests: the service, and the proxy if there is one. */
function resolveRoute({ workspace, baseUrl, proxyEnv }: PromptServiceOptions, mask: Mask) {
  const base = parseBaseUrl(baseUrl)
  if (base.kind === 'unusable') {
    throw new PromptsError('BASE_URL_INVALID', { problem: mask(base.problem) })
  }
  const proxy = chooseProxy(base, proxyEnv)
  if (proxy.kind === 'unusable') {
    const details = { url: base.origin, reason: proxy.problem, attempts: 0, workspace }
    throw new PromptsError('SERVICE_UNREACHABLE', details)
  }
  return { base, proxy: proxy.kind === 'proxy' ? proxy : undefined }
}

function describe(outcome: Outcome): string {
  return outcome.kind === 'response' ? `status ${outcome.response.status}` : outcome.kind
}

function createHeaders(key: string): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    // A compressed response could be a decompression bomb, and prompts are small.
    'accept-encoding': 'identity',
    'user-agent': 'unplugin-prompts',
  }
}
