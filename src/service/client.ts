import { setMaxListeners } from 'node:events'
import { parseKey } from '../config/api-key.ts'
import { parseBaseUrl } from '../config/base-url.ts'
import type { ResolvedOptions, Setting } from '../config/resolve-options.ts'
import type { PromptService } from '../core/service.ts'
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
export interface PromptServiceOptions
  extends
    CallOptions,
    Pick<ResolvedOptions, 'name' | 'environment' | 'concurrency' | 'timeout' | 'processEnv'> {
  readonly baseUrl: string
  readonly apiKey: Setting
  readonly onWarning?: ((message: string) => void) | undefined
}

/**
 * The client of the hosted prompt service. It sends nothing before the first call, and does
 * not keep the process alive if it is not closed.
 *
 * Both operations reject with a PromptsError that never contains the key, or with the reason of an
 * abort.
 *
 * @param clock - time and randomness, for tests
 * @throws PromptsError KEY_MALFORMED, KEY_KIND_UNKNOWN, ENVIRONMENT_MISMATCH, BASE_URL_INVALID;
 *   SERVICE_UNREACHABLE if the proxy variables are invalid
 */
export function createPromptService(
  options: PromptServiceOptions,
  clock: Clock = systemClock,
): PromptService {
  checkKey(options)
  const { environment } = options
  const mask = createMask(options.apiKey.value)
  const compareStatus = createStatusCheck(options, mask)
  const { send, close } = createSender(options, mask, clock)
  return {
    environment,
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

/** Called before anything is sent, so that a wrong key never leaves this machine. */
function checkKey({ apiKey, environment }: PromptServiceOptions): void {
  const { value: key, source } = apiKey
  const parsed = parseKey(key)
  if ('problem' in parsed) throw new PromptsError(parsed.problem, { source })
  const { environment: kind } = parsed
  if (kind === environment) return
  throw new PromptsError('ENVIRONMENT_MISMATCH', { option: environment, kind, source })
}

const MEBIBYTE = 1024 * 1024

const STATUS_HEADER = 'x-service-plan-status'

/**
 * Creates the check that header and body of a list have the same plan status, with one warning. The body
 * has precedence, because the types are about the body.
 */
function createStatusCheck(
  { onWarning }: PromptServiceOptions,
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
function createSender(options: PromptServiceOptions, mask: Mask, clock: Clock) {
  const { name: workspace, apiKey, timeout, concurrency: connections } = options
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
    authorization: `Bearer ${apiKey.value}`,
    accept: 'application/json',
    // A compressed response could be a decompression bomb, and prompts are small.
    'accept-encoding': 'identity',
    'user-agent': 'unplugin-prompts',
  }
  const keySource = apiKey.source
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
