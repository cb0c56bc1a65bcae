import { setMaxListeners } from 'node:events'
import { debug } from '../debug/debug.ts'
import type { RequestContext } from './attempt-result.ts'
import { createTransport } from './http.ts'
import type { Mask } from './mask.ts'
import { type Readers, interpretOutcome } from './interpret-response.ts'
import { type Clock, MAX_ATTEMPTS, withRetries } from './retry.ts'
import type { PromptServiceOptions } from './client-options.ts'

/** Options of all requests to one service. */
export interface RequestsOptions extends Pick<
  PromptServiceOptions,
  'workspace' | 'key' | 'keySource' | 'concurrency' | 'timeout' | 'onRetry' | 'signal'
> {
  readonly base: { readonly origin: string; readonly host: string; readonly prefix: string }
  readonly proxy: { readonly url: string; readonly name: string } | undefined
  /** Masks the key in messages. */
  readonly mask: Mask
  readonly clock: Clock
}

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

/** Creates the sender of requests to one service. It opens no connection before the first request. */
export function createRequests(options: RequestsOptions): Requests {
  const { base, proxy, mask, timeout, clock } = options
  const aborter = new AbortController()
  const { signal } = aborter
  const transport = createTransport({
    origin: base.origin,
    proxy: proxy?.url,
    connections: options.concurrency,
    connectTimeout: timeout / 3,
    signal,
  })
  // Every request and every socket listens to it.
  setMaxListeners(0, signal)
  const stop = (): void => aborter.abort(options.signal?.reason)
  options.signal?.addEventListener('abort', stop, { once: true })
  if (options.signal?.aborted === true) stop()

  return {
    async send({ path, limit, readers }) {
      const context = createContext(path, limit, options)
      const request = { path: base.prefix + path, headers: createHeaders(options.key), limit }
      const result = await withRetries({
        timeout,
        clock,
        signal,
        attempt: async (budget) => {
          const outcome = await transport.send({ ...request, budget })
          const interpreted = interpretOutcome(outcome, context, readers)
          debug('service', () => `${mask(context.url)}: ${interpreted.kind}`)
          return interpreted
        },
        onRetry: ({ failure, attempt, wait }) => {
          const error = failure.toError(1, mask)
          debug('service', () => `retry ${attempt} in ${wait} ms: ${error.why}`)
          const url = mask(context.url)
          options.onRetry?.({ url, attempt, attempts: MAX_ATTEMPTS, wait, error })
        },
      }).catch((error: unknown) => {
        // A delay rejects with its own error instead of the abort's reason.
        signal.throwIfAborted()
        throw error
      })
      if (result.kind === 'succeeded') return result.value
      throw result.failure.toError(result.attempts, mask)
    },
    async close() {
      options.signal?.removeEventListener('abort', stop)
      aborter.abort(new DOMException('The prompt service was closed.', 'AbortError'))
      await transport.destroy()
    },
  }
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

function createContext(
  path: string,
  limit: number,
  { workspace, base, proxy, keySource, timeout, clock, mask }: RequestsOptions,
): RequestContext {
  return {
    workspace,
    url: base.origin + base.prefix + path,
    subject: `GET ${base.prefix}${path}`,
    peer: proxy === undefined ? base.host : `the proxy ${proxy.name}`,
    keySource,
    timeout,
    limit,
    mask,
    now: () => clock.wall(),
  }
}
