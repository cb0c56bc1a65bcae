import { setMaxListeners } from 'node:events'
import { parseBaseUrl } from '../config/base-url.ts'
import type { ResolvedOptions, Setting } from '../config/resolve-options.ts'
import type { Environment, PinnedPrompt } from '../core/prompt.ts'
import type { PromptList } from '../core/service.ts'
import { debug } from '../debug/debug.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { createDispatcher, getHeader, type HttpResponse, receive, type Request } from './http.ts'
import { clip, createMask, type Mask } from './mask.ts'
import { chooseProxy } from './proxy.ts'
import { type Budget, type Clock, type FailedAttempt, systemClock, withRetries } from './retry.ts'
import { readList, readPrompt } from './wire.ts'

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
 * Options of the client. Nothing is read from the environment. The caller limits its requests to
 * `concurrency` too, as `mapConcurrent` does: time that a request waits for a connection counts towards
 * its time limit.
 */
export interface ClientOptions
  extends
    CallOptions,
    Pick<ResolvedOptions, 'name' | 'secrets' | 'concurrency' | 'timeout' | 'processEnv'> {
  readonly baseUrl: string
  readonly onWarning?: ((message: string) => void) | undefined
}

/** A key, and the environment that it reads. */
export interface Key extends Setting {
  readonly environment: Environment
}

/** The two operations of the service with one key. */
export interface Client {
  list(): Promise<PromptList>
  /** @returns `undefined` when the workspace has no prompt with that slug (404) */
  get(slug: string): Promise<Omit<PinnedPrompt, 'environment'> | undefined>
  /** Aborts pending requests and closes the connections. */
  close(): Promise<void>
}

/**
 * The client of the hosted prompt service for one key. It sends nothing before the first call, and does
 * not keep the process alive if it is not closed.
 *
 * Both operations reject with a PromptsError that never contains a key, or with the reason of an
 * abort.
 *
 * @param clock - time and randomness, for tests
 * @throws PromptsError BASE_URL_INVALID; SERVICE_UNREACHABLE if the proxy variables are invalid
 */
export function createClient(options: ClientOptions, key: Key, clock: Clock = systemClock): Client {
  const { environment } = key
  const mask = createMask(options.secrets)
  const compareStatus = createStatusCheck(options, mask)
  const { send, close } = createSender(options, key, mask, clock)
  return {
    list: () =>
      send(LIST_PATH, 64 * MEBIBYTE, (response, request) => {
        const list = readList(response, request)
        compareStatus(response, list.planStatus)
        return list
      }),
    get: async (slug) =>
      send(promptPath(slug, mask), 32 * MEBIBYTE, (response, request) =>
        response.status === 404 ? undefined : readPrompt(response, request, { slug, environment }),
      ),
    close,
  }
}

const MEBIBYTE = 1024 * 1024

const STATUS_HEADER = 'x-service-plan-status'

/**
 * Creates the check that header and body of a list have the same plan status, with one warning. The body
 * has precedence, because the types are about the body.
 */
function createStatusCheck(
  { onWarning }: ClientOptions,
  mask: Mask,
): (response: HttpResponse, body: string) => void {
  let hasWarned = false
  return (response, body) => {
    const header = getHeader(response.headers, STATUS_HEADER) ?? body
    if (hasWarned || header === body) return
    hasWarned = true
    const [inHeader, inBody] = [header, body].map((status) => clip(status, mask))
    onWarning?.(
      `The service reports different plan statuses: “${inHeader}” in the header ${STATUS_HEADER}, “${inBody}” in the body. The body is used.`,
    )
  }
}

/**
 * Creates the connections to the service, and the function that sends a request over them, with retries
 * and time limits.
 */
function createSender(options: ClientOptions, key: Key, mask: Mask, clock: Clock) {
  const { name: workspace, timeout, concurrency: connections } = options
  const base = parseBaseUrl(options.baseUrl)
  if ('problem' in base) throw new PromptsError('BASE_URL_INVALID', { problem: mask(base.problem) })
  const proxy = chooseProxy(base, options.processEnv, workspace)
  const { origin, host, prefix } = base
  const closing = new AbortController()
  const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])])
  // Every request and every socket listens to it.
  setMaxListeners(0, signal)
  const dispatcher = createDispatcher({ origin, timeout, signal }, proxy, connections)
  // Immediately, or undici would connect again for the aborted requests.
  signal.addEventListener('abort', () => dispatcher.destroy(), { once: true })
  const peer = proxy === undefined ? host : `the proxy ${proxy.origin}`
  const headers = {
    authorization: `Bearer ${key.value}`,
    accept: 'application/json',
    // A compressed response could be a decompression bomb, and prompts are small.
    'accept-encoding': 'identity',
    'user-agent': 'unplugin-prompts',
  }
  const keySource = key.source
  const shared = { workspace, keySource, timeout, clock, mask, signal, peer, origin, headers }

  /**
   * @param relativePath - from the base address
   * @param read - reads the response to each attempt
   */
  function send<T>(
    relativePath: string,
    limit: number,
    read: (response: HttpResponse, request: Request) => T,
  ): Promise<T> {
    const path = prefix + relativePath
    const url = origin + path
    const request: Request = { ...shared, limit, path, url }
    const attempt = async (budget: Budget): Promise<T> => {
      const response = await receive(dispatcher, request, budget)
      debug('service', () => `${mask(url)}: status ${response.status}`)
      return read(response, request)
    }
    return withRetries(request, attempt, (failed) => {
      debug('service', () => `retry ${failed.attempt} in ${failed.wait} ms: ${failed.error.why}`)
      options.onProgress?.({ kind: 'retry', url: mask(url), ...failed })
    })
  }

  async function close(): Promise<void> {
    closing.abort(new DOMException('The prompt service was closed.', 'AbortError'))
    await dispatcher.destroy()
  }

  return { send, close }
}

/** Path of the list, relative to the base address. */
const LIST_PATH = '/api/v1/prompts'

/**
 * Returns the path of one prompt, with its slug as one encoded segment. Do not pass it to a URL parser.
 *
 * @throws PromptsError SLUG_UNSAFE, TEXT_UNPAIRED_SURROGATE
 */
function promptPath(slug: string, mask: Mask): string {
  // URL parsers and servers remove these segments, percent-encoded or not.
  if (slug === '.' || slug === '..') throw new PromptsError('SLUG_UNSAFE', { slugs: [slug] })
  if (/\p{Surrogate}/u.test(slug)) {
    const problems = [`the slug ${clip(JSON.stringify(slug), mask)}`]
    throw new PromptsError('TEXT_UNPAIRED_SURROGATE', { problems })
  }
  return `${LIST_PATH}/${encodeURIComponent(slug)}`
}
