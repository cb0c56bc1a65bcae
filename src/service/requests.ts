import { setMaxListeners } from 'node:events'
import { debug } from '../debug/debug.ts'
import type { Failure, AttemptResult, RequestContext } from './attempt-result.ts'
import { type Transport, createTransport } from './http.ts'
import { type Mask, createMask } from './mask.ts'
import { type Readers, interpretOutcome } from './interpret-response.ts'
import { MAX_ATTEMPTS, type Budget, type Clock, type RequestResult, withRetries } from './retry.ts'
import type { PromptServiceOptions } from './client-options.ts'

/** Options of all requests to one service. */
export interface RequestsOptions extends Pick<
  PromptServiceOptions,
  'workspace' | 'key' | 'keySource' | 'concurrency' | 'timeout' | 'onRetry' | 'signal'
> {
  readonly base: { readonly origin: string; readonly host: string; readonly prefix: string }
  readonly proxy: { readonly url: string; readonly name: string } | undefined
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
export class Requests {
  /** Masks the key in messages. */
  readonly mask: Mask
  readonly #options: RequestsOptions
  readonly #transport: Transport
  readonly #abortController = new AbortController()
  readonly #stop = (): void => this.#abortController.abort(this.#options.signal?.reason)

  constructor(options: RequestsOptions) {
    this.#options = options
    this.mask = createMask(options.key)
    this.#transport = createTransport({
      origin: options.base.origin,
      proxy: options.proxy?.url,
      connections: options.concurrency,
      connectTimeout: options.timeout / 3,
      signal: this.#abortController.signal,
    })
    // Every request and every socket listens to it.
    setMaxListeners(0, this.#abortController.signal)
    options.signal?.addEventListener('abort', this.#stop, { once: true })
    if (options.signal?.aborted === true) this.#stop()
  }

  /** @throws PromptsError, or the reason of the abort */
  async send<T>(read: ReadRequest<T>): Promise<T> {
    const result = await this.#attempt(read)
    if (result.kind === 'succeeded') return result.value
    throw result.failure.toError(result.attempts, this.mask)
  }

  /** Aborts all requests and closes the connections. May be called again. */
  async close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#stop)
    this.#abortController.abort(new DOMException('The prompt service was closed.', 'AbortError'))
    await this.#transport.destroy()
  }

  async #attempt<T>({ path, limit, readers }: ReadRequest<T>): Promise<RequestResult<T>> {
    const context = this.#createContext(path, limit)
    const { timeout, clock } = this.#options
    const { signal } = this.#abortController
    const attempt = async (budget: Budget): Promise<AttemptResult<T>> => {
      const outcome = await this.#transport.send({ ...this.#request(path), limit, budget })
      const result = interpretOutcome(outcome, context, readers)
      debug('service', () => `${this.mask(context.url)}: ${result.kind}`)
      return result
    }
    const onRetry = (failure: FailedTry): void => this.#reportRetry(failure, context.url)
    try {
      return await withRetries({ attempt, onRetry, timeout, clock, signal })
    } catch (error) {
      // An abort during a delay has an error of its own.
      signal.throwIfAborted()
      throw error
    }
  }

  #request(path: string): { path: string; headers: Record<string, string> } {
    return {
      path: this.#options.base.prefix + path,
      headers: {
        authorization: `Bearer ${this.#options.key}`,
        accept: 'application/json',
        // A compressed response could be a decompression bomb, and prompts are small.
        'accept-encoding': 'identity',
        'user-agent': 'unplugin-prompts',
      },
    }
  }

  #createContext(path: string, limit: number): RequestContext {
    const { workspace, base, proxy, keySource, timeout, clock } = this.#options
    return {
      workspace,
      url: base.origin + base.prefix + path,
      subject: `GET ${base.prefix}${path}`,
      peer: proxy === undefined ? base.host : `the proxy ${proxy.name}`,
      keySource,
      timeout,
      limit,
      mask: this.mask,
      now: () => clock.wall(),
    }
  }

  #reportRetry({ failure, attempt, wait }: FailedTry, url: string): void {
    const error = failure.toError(1, this.mask)
    debug('service', () => `retry ${attempt} in ${wait} ms: ${error.why}`)
    this.#options.onRetry?.({ url: this.mask(url), attempt, attempts: MAX_ATTEMPTS, wait, error })
  }
}

interface FailedTry {
  readonly failure: Failure
  readonly attempt: number
  readonly wait: number
}
