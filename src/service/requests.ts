import { setMaxListeners } from 'node:events'
import type { Fault, Verdict } from './fault.ts'
import { type Transport, createTransport } from './http.ts'
import { type Mask, createMask } from './mask.ts'
import { type Readers, type RequestContext, judge } from './outcome.ts'
import { ATTEMPTS, type Budget, type Clock, type Ending, withRetries } from './retry.ts'
import type { PromptServiceOptions } from './options.ts'
import { type Slots, createSlots } from './slots.ts'

/** What all requests to one service have in common; checked. */
export interface RequestsOptions extends Pick<
  PromptServiceOptions,
  'workspace' | 'key' | 'keySource' | 'concurrency' | 'timeout' | 'onRetry' | 'signal'
> {
  readonly base: { readonly origin: string; readonly host: string; readonly prefix: string }
  readonly proxy: { readonly url: string; readonly name: string } | undefined
  readonly clock: Clock
}

/** One read of the service. */
export interface Read<T> {
  /** Below the base address. */
  readonly path: string
  /** Most bytes that the answer may have. */
  readonly limit: number
  readonly readers: Readers<T>
}

/** The requests to one service: their slots, attempts and deadlines, and the end of them all. */
export class Requests {
  /** Masks the key in whatever is told about the service. */
  readonly mask: Mask
  readonly #options: RequestsOptions
  readonly #slots: Slots
  readonly #transport: Transport
  readonly #stopper = new AbortController()
  readonly #stop = (): void => this.#stopper.abort(this.#options.signal?.reason)

  constructor(options: RequestsOptions) {
    this.#options = options
    this.mask = createMask(options.key)
    this.#slots = createSlots(options.concurrency)
    this.#transport = createTransport({
      origin: options.base.origin,
      proxy: options.proxy?.url,
      connections: options.concurrency,
      connectTimeout: options.timeout / 3,
      signal: this.#stopper.signal,
    })
    // Every request and every socket listens to it.
    setMaxListeners(0, this.#stopper.signal)
    options.signal?.addEventListener('abort', this.#stop, { once: true })
    if (options.signal?.aborted === true) this.#stop()
  }

  /** @throws PromptsError, or the reason of the abort once everything was aborted */
  async send<T>(read: Read<T>): Promise<T> {
    const ending = await this.#slots(() => this.#attempt(read))
    if (ending.kind === 'settled') return ending.value
    throw ending.fault.raise(ending.attempts, this.mask)
  }

  /** Ends all requests with an AbortError and closes the connections. Does no harm twice. */
  async close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#stop)
    this.#stopper.abort(new DOMException('The prompt service was closed.', 'AbortError'))
    await this.#transport.destroy()
  }

  async #attempt<T>({ path, limit, readers }: Read<T>): Promise<Ending<T>> {
    const context = this.#contextOf(path, limit)
    const { timeout, clock } = this.#options
    const { signal } = this.#stopper
    const attempt = async (budget: Budget): Promise<Verdict<T>> => {
      const outcome = await this.#transport.send({ ...this.#request(path), limit, budget })
      return judge(outcome, context, readers)
    }
    const onRetry = (failure: Failure): void => this.#tellRetry(failure, context.url)
    try {
      return await withRetries({ attempt, onRetry, timeout, clock, signal })
    } catch (error) {
      // What was aborted while it waited has an error of its own.
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
        // A compressed answer could be a bomb, and prompts are small.
        'accept-encoding': 'identity',
        'user-agent': 'unplugin-prompts',
      },
    }
  }

  #contextOf(path: string, limit: number): RequestContext {
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

  #tellRetry({ fault, attempt, wait }: Failure, url: string): void {
    const error = fault.raise(1, this.mask)
    this.#options.onRetry?.({ url: this.mask(url), attempt, attempts: ATTEMPTS, wait, error })
  }
}

interface Failure {
  readonly fault: Fault
  readonly attempt: number
  readonly wait: number
}
