import { setMaxListeners } from 'node:events'
import { keyEnvironment } from '../config/api-key.ts'
import { parseBaseUrl } from '../config/base-url.ts'
import type { PromptService, ServedPrompt } from '../core/service.ts'
import { debug } from '../debug/debug.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import type { PromptServiceOptions } from './client-options.ts'
import { createDispatcher, getHeader, type HttpResponse, type Outcome, receive } from './http.ts'
import { interpretOutcome, type Readers, type RequestContext } from './interpret-outcome.ts'
import { clip, createMask, type Mask } from './mask.ts'
import { chooseProxy } from './proxy.ts'
import { type Clock, MAX_ATTEMPTS, systemClock, withRetries } from './retry.ts'
import { readList, readPrompt } from './wire.ts'

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
  const mask = createMask(options.key)
  const compareStatus = createStatusCheck(options, mask)
  const { send, close } = createSender(options, mask, clock)
  return {
    environment,
    list: () =>
      send(LIST_PATH, LIST_LIMIT, {
        200: (answer, context) => {
          const list = readList(answer, context)
          compareStatus(answer, list.planStatus)
          return list
        },
      }),
    get: async (slug) =>
      send<ServedPrompt | undefined>(promptPath(slug, mask), PROMPT_LIMIT, {
        200: (answer, context) => readPrompt(answer, context, { slug, environment }),
        404: () => undefined,
      }),
    close,
  }
}

/** Other characters would end a header or be removed from it. */
const HEADER_SAFE = /^[\u0021-\u007e]+$/

/** Called before anything is sent, so that a wrong key never leaves this machine. */
function checkKey({ key, keySource: source, environment }: PromptServiceOptions): void {
  if (!HEADER_SAFE.test(key)) throw new PromptsError('KEY_MALFORMED', { source })
  const kind = keyEnvironment(key)
  if (kind === undefined) throw new PromptsError('KEY_KIND_UNKNOWN', { source })
  if (kind === environment) return
  throw new PromptsError('ENVIRONMENT_MISMATCH', { option: environment, kind, source })
}

const STATUS_HEADER = 'x-service-plan-status'

/**
 * Creates the check that header and body of a list have the same plan status, with one warning. The body
 * has precedence, because the types are about the body.
 */
function createStatusCheck(
  { onWarning }: PromptServiceOptions,
  mask: Mask,
): (answer: HttpResponse, body: string) => void {
  let hasWarned = false
  return (answer, body) => {
    const header = getHeader(answer, STATUS_HEADER)
    if (header === undefined || hasWarned || isSameStatus(header, body)) return
    hasWarned = true
    const [inHeader, inBody] = [header, body].map((status) => clip(status, mask))
    onWarning?.(
      `The service reports different plan statuses: “${inHeader}” in the header ${STATUS_HEADER}, “${inBody}” in the body. The body is used.`,
    )
  }
}

/** Headers lose surrounding white space, and are decoded as Latin-1 even if they are UTF-8. */
function isSameStatus(header: string, body: string): boolean {
  const decoded = Buffer.from(header, 'latin1').toString('utf8')
  return [header, decoded].includes(body.trim())
}

/**
 * Creates the connections to the service, and the function that sends a request over them, with retries
 * and time limits.
 */
function createSender(options: PromptServiceOptions, mask: Mask, clock: Clock) {
  const { timeout, workspace, keySource, concurrency: connections } = options
  const { base, proxy } = chooseRoute(options, mask)
  const { origin } = base
  const closing = new AbortController()
  const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])])
  // Every request and every socket listens to it.
  setMaxListeners(0, signal)
  const route = { origin, proxy: proxy?.url, connections, connectTimeout: timeout / 3, signal }
  const dispatcher = createDispatcher(route)
  // Immediately, or undici would connect again for the aborted requests.
  signal.addEventListener('abort', () => dispatcher.destroy(), { once: true })
  const peer = proxy === undefined ? base.host : `the proxy ${proxy.name}`
  const shared = { workspace, keySource, timeout, mask, peer, now: () => clock.wall() }
  const headers = createHeaders(options.key)

  /** @param relativePath - from the base address */
  function send<T>(relativePath: string, limit: number, readers: Readers<T>): Promise<T> {
    const path = base.prefix + relativePath
    const url = origin + path
    const context: RequestContext = { ...shared, limit, url, subject: `GET ${path}` }
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
  }

  async function close(): Promise<void> {
    closing.abort(new DOMException('The prompt service was closed.', 'AbortError'))
    await dispatcher.destroy()
  }

  return { send, close }
}

/** Returns where to send requests: the service, and the proxy if there is one. */
function chooseRoute({ workspace, baseUrl, proxyEnv }: PromptServiceOptions, mask: Mask) {
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

/** Path of the list, relative to the base address. */
const LIST_PATH = '/api/v1/prompts'

/** URL parsers and servers remove these segments, percent-encoded or not. */
const DOT_SEGMENTS = new Set(['.', '..'])

/** Octets. Servers and proxies need not accept longer paths (RFC 9110, section 4.1). */
const MAX_PATH = 8000

/**
 * Returns the path of one prompt, with its slug as one encoded segment. Do not pass it to a URL parser.
 *
 * @throws PromptsError SLUG_UNSAFE, TEXT_UNPAIRED_SURROGATE
 */
function promptPath(slug: string, mask: Mask): string {
  if (DOT_SEGMENTS.has(slug)) throw new PromptsError('SLUG_UNSAFE', { slugs: [slug] })
  if (/\p{Surrogate}/u.test(slug)) {
    const problems = [`the slug ${clip(JSON.stringify(slug), mask)}`]
    throw new PromptsError('TEXT_UNPAIRED_SURROGATE', { problems })
  }
  const path = `${LIST_PATH}/${encodeURIComponent(slug)}`
  if (path.length <= MAX_PATH) return path
  const slugs = [`${clip(slug, mask)}… (${slug.length} characters)`]
  throw new PromptsError('SLUG_UNSAFE', { slugs })
}

const MEBIBYTE = 1024 * 1024
const LIST_LIMIT = 64 * MEBIBYTE
const PROMPT_LIMIT = 32 * MEBIBYTE
