// Imported by file, because Bun replaces `undici` by its own version without `Pool`.
import { type Dispatcher, Pool, ProxyAgent } from 'undici/index.js'
import type { ServiceAddress } from '../config/base-url.ts'
import { errorCode, errorMessage, PromptsError } from '../errors/prompts-error.ts'
import { bodyExcerpt, EXCERPT_BYTES } from './mask.ts'
import {
  AttemptFailure,
  type Budget,
  clock,
  formatWait,
  parseRetryAfter,
  requestedRetry,
  type RetryContext,
} from './retry.ts'

/**
 * Creates the connections to one service. None is opened before the first request. Only this file imports
 * undici.
 *
 * @param proxy - with its credentials
 */
export function createDispatcher(
  { origin, timeout, signal }: Pick<Request, 'origin' | 'timeout' | 'signal'>,
  proxy: URL | undefined,
  connections: number,
): Dispatcher {
  // `receive` has its own timers; those of undici are coarse and restart with each byte.
  const shared = { connections, headersTimeout: 0, bodyTimeout: 0 }
  // An abort also destroys sockets that are still connecting.
  const connect = { signal, timeout: Math.ceil(timeout / 3) }
  if (proxy === undefined) return new Pool(origin, { ...shared, connect })
  const headersTimeout = connect.timeout
  return new ProxyAgent({
    ...shared,
    uri: proxy.href,
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (url, settings) => new ProxyPool(url, { ...settings, headersTimeout }),
  })
}

/**
 * The connections to a proxy. If a tunnel fails with one of undici's own socket errors, undici reconnects
 * immediately and endlessly (7.30: 2,300 connections in 1.5 s), so these errors are replaced.
 */
class ProxyPool extends Pool {
  override async connect(
    options: Omit<Dispatcher.ConnectOptions, 'origin'>,
  ): Promise<Dispatcher.ConnectData> {
    const tunnel = await super.connect(options).catch((cause: unknown) => {
      throw RECONNECTING_ERRORS.has(errorCode(cause))
        ? new Error('it closed the connection', { cause })
        : cause
    })
    if (tunnel.statusCode === 200) return tunnel
    tunnel.socket.on('error', () => {}).destroy()
    throw new Error(`it refused the tunnel with status ${tunnel.statusCode}`)
  }
}

const RECONNECTING_ERRORS = new Set(['UND_ERR_SOCKET', 'UND_ERR_INFO'])

/**
 * Returns the proxy that the environment variables select for the service. The rules are those of
 * undici's EnvHttpProxyAgent: lower case first, for https `https_proxy` before `http_proxy`, `no_proxy` by
 * name, suffix and port. Implemented here, because errors show the proxy, which that agent does not tell.
 *
 * Unlike undici, and like Go, this machine is never accessed through a proxy: http is allowed to this
 * machine because the key does not leave it.
 *
 * @param workspace - its name, for the error
 * @returns with credentials, if there are any; `undefined` for none
 */
export function chooseProxy(
  { origin, isLoopback }: Pick<ServiceAddress, 'origin' | 'isLoopback'>,
  variables: Readonly<Record<string, string | undefined>>,
  workspace: string,
): URL | undefined {
  const read = (name: string): string => variables[name] ?? variables[name.toUpperCase()] ?? ''
  const service = new URL(origin)
  const httpsProxy = service.protocol === 'https:' ? read('https_proxy') : ''
  const text = (httpsProxy || read('http_proxy')).trim()
  if (text === '' || isLoopback || isExcepted(service, read('no_proxy'))) return undefined
  const proxy = parseProxy(text)
  if (proxy !== undefined) return proxy
  const reason = 'the proxy variables contain no http: or https: address'
  throw new PromptsError('SERVICE_UNREACHABLE', { url: origin, reason, attempts: 0, workspace })
}

function isExcepted({ protocol, hostname, port }: URL, exceptions: string): boolean {
  const servicePort = port || (protocol === 'https:' ? '443' : '80')
  const names = exceptions.toLowerCase().split(/[,\s]/)
  return names.some((entry) => {
    const [, name = entry, exceptedPort = servicePort] = /^(.+):(\d+)$/.exec(entry) ?? []
    const domain = name.replace(/^\*?\./, '')
    if (entry === '' || exceptedPort !== servicePort) return false
    return entry === '*' || hostname === domain || hostname.endsWith(`.${domain}`)
  })
}

function parseProxy(text: string): URL | undefined {
  try {
    // A proxy without a scheme, such as `host:port`, is http, as in curl.
    const proxy = new URL(text.includes('://') ? text : `http://${text}`)
    // undici decodes credentials, and its error would contain them.
    decodeURIComponent(proxy.username + proxy.password)
    return /^https?:$/.test(proxy.protocol) ? proxy : undefined
  } catch {
    return undefined
  }
}

/** A request, and what its errors tell. */
export interface Request extends RetryContext {
  readonly origin: string
  readonly path: string
  /** Both together. */
  readonly url: string
  /** Default: `GET`. */
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Maximum size of a body with status 200, in bytes. */
  readonly limit: number
  readonly workspace: string
  readonly keySource: string
  /** The host or the proxy. */
  readonly peer: string
}

export interface HttpResponse {
  readonly status: number
  /** A header by its lower-case name; a repeated one is joined with `, `. */
  readonly header: (name: string) => string | undefined
  /** Complete for status 200, still encoded; otherwise only what an excerpt needs. */
  readonly body: Uint8Array
}

/** Sends a request once, and ends it on a timeout or if the response is too large. */
export async function receive(
  dispatcher: Dispatcher,
  request: Request,
  budget: Budget,
): Promise<HttpResponse> {
  const { origin, path, method = 'GET', headers, body: content = null } = request
  const aborter = new AbortController()
  const { signal } = aborter
  const headersTimer = clock.timer(budget.headers, () => aborter.abort())
  // One deadline over everything: undici's bodyTimeout starts again with each byte.
  const totalTimer = clock.timer(budget.total, () => aborter.abort())
  let isInBody = false
  try {
    const sending = dispatcher.request({ origin, path, method, headers, body: content, signal })
    // undici looks at the signal only when the connection is open.
    const response = await Promise.race([sending, rejectOnAbort(signal)])
    const { statusCode: status } = response
    const header = (name: string): string | undefined => {
      const value = response.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    }
    if (status === 200) {
      headersTimer.close()
      isInBody = true
    }
    const isTooLarge = (length: number): boolean => status === 200 && length > request.limit
    if (isTooLarge(Number(header('content-length')))) throw tooLarge(response, request)
    const body = await readBody(response, status === 200 ? request.limit : EXCERPT_BYTES)
    if (isTooLarge(body.length)) throw tooLarge(response, request)
    return { status, header, body }
  } catch (cause) {
    if (cause instanceof AttemptFailure || REFUSED.test(errorCode(cause))) throw cause
    throw signal.aborted ? timedOut(request, isInBody) : networkFailure(cause, request, isInBody)
  } finally {
    headersTimer.close()
    totalTimer.close()
  }
}

/** Codes of undici for a request that it does not send, whose method, headers or body a function of a service gave. */
const REFUSED = /^UND_ERR_(?:INVALID_ARG|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)$/

/** Rejects with the reason when a signal is aborted. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

/** Reads a body, and ends the response when it has more bytes than the limit. */
async function readBody(
  { statusCode, body }: Dispatcher.ResponseData,
  limit: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body.on('error', () => {})) {
      chunks.push(chunk)
      size += chunk.length
      if (size > limit) break
    }
  } catch (error) {
    // An error status is reported with the part of its body that arrives in time.
    if (statusCode === 200) throw error
  }
  return Buffer.concat(chunks)
}

function tooLarge({ body }: Dispatcher.ResponseData, { url, limit }: Request): AttemptFailure {
  body.on('error', () => {}).destroy()
  return new AttemptFailure('ANSWER_TOO_LARGE', { url, limit })
}

/** Only while no headers came is there time for another attempt. */
function timedOut({ url, timeout: milliseconds }: Request, isInBody: boolean): AttemptFailure {
  const details = { url, milliseconds, attempts: 1 }
  return new AttemptFailure('SERVICE_TIMEOUT', details, { retry: isInBody ? undefined : 'backoff' })
}

/** Codes of Node and OpenSSL for an invalid certificate of a server or proxy. A retry can't help. */
const CERTIFICATE =
  /^(?:ERR_TLS_CERT_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_C|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$|UND_ERR_PRX_TLS$)/

function networkFailure(
  cause: unknown,
  { workspace, url, peer }: Request,
  isInBody: boolean,
): AttemptFailure {
  const again = { retry: 'backoff', cause } as const
  if (isInBody) return new AttemptFailure('ANSWER_INCOMPLETE', { url, attempts: 1 }, again)
  const reason = describeNetworkError(cause, peer)
  return CERTIFICATE.test(errorCode(cause))
    ? new AttemptFailure('CERTIFICATE_INVALID', { url, reason }, { cause })
    : new AttemptFailure('SERVICE_UNREACHABLE', { url, reason, attempts: 1, workspace }, again)
}

/** What common codes mean; `*` is the host or proxy. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOTFOUND: '* was not found',
  EAI_AGAIN: 'the DNS lookup of * failed',
  ECONNREFUSED: '* refused the connection',
  ECONNRESET: '* reset the connection',
  EPIPE: '* closed the connection',
  UND_ERR_SOCKET: '* closed the connection',
  ETIMEDOUT: 'connecting to * timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connecting to * timed out',
  EPROTO: '* does not speak TLS as expected',
  ERR_SSL_WRONG_VERSION_NUMBER: '* does not speak TLS',
  EHOSTUNREACH: 'there is no route to *',
  ENETUNREACH: 'there is no route to *',
}

/** Describes why a connection failed. May contain remote text. */
function describeNetworkError(cause: unknown, peer: string): string {
  const code = errorCode(cause)
  const meaning = MEANINGS[code]?.replace('*', () => peer)
  const description = meaning ?? `${peer}: ${errorMessage(cause)}`
  return code === '' || description.includes(code) ? description : `${description} (${code})`
}

/** As in fetch. Others from 300 to 399, such as 304, have no target. */
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Returns the failure for a response whose status is not the expected one. */
export function statusFailure(
  response: HttpResponse,
  { url, workspace, keySource: source, mask }: Request,
): AttemptFailure {
  const { status } = response
  const excerpt = bodyExcerpt(response.body, mask)
  const delay = parseRetryAfter(response.header('retry-after'), Date.now())
  const counted = { url, attempts: 1, wait: formatWait(delay) }
  const later = { retry: requestedRetry(delay) }
  if (REDIRECTS.has(status)) {
    const target = targetOf(response, url)
    return new AttemptFailure('REDIRECTED', { url, status, target, workspace })
  }
  switch (status) {
    case 204:
    case 205:
      return new AttemptFailure('ANSWER_EMPTY', { url, status })
    case 401:
      return new AttemptFailure('KEY_REFUSED', { url, source, excerpt })
    case 403:
      return new AttemptFailure('ACCESS_DENIED', { url, excerpt })
    case 404:
      return new AttemptFailure('SERVICE_NOT_FOUND', { url, workspace })
    case 429:
      return new AttemptFailure('RATE_LIMITED', { ...counted, workspace }, later)
    default:
      return status >= 500
        ? new AttemptFailure('SERVICE_FAILED', { ...counted, status, excerpt }, later)
        : new AttemptFailure('STATUS_UNEXPECTED', { url, status, excerpt })
  }
}

/** Returns the origin of a redirect's target: the rest may contain the key. */
function targetOf(response: HttpResponse, url: string): string {
  const location = response.header('location') ?? ''
  if (location === '' || !URL.canParse(location, url)) return 'an unknown address'
  const { origin, protocol } = new URL(location, url)
  // That of `javascript:` and similar URLs is `null`.
  return origin === 'null' ? protocol : origin
}
