import { type Dispatcher, Pool, ProxyAgent } from 'undici'
import { AttemptTimer, LONGEST_TIMER, type LateStage } from './attempt-timer.ts'
import { EXCERPT_BYTES } from './mask.ts'
import { codeOf, isCertificateFailure } from './network-failure.ts'
import type { Budget } from './retry.ts'

/** One GET request. */
export interface HttpRequest {
  /** Sent as it is: already encoded, with the prefix of the base address. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Most bytes that a body of status 200 may have. */
  readonly limit: number
  readonly budget: Budget
}

/** What came back over the wire. */
export interface Answer {
  readonly status: number
  /** By lower-case name; repeated headers are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>
  /** Whole for status 200, as it was encoded; else at most what an excerpt needs. */
  readonly body: Uint8Array
}

/** How one request ended. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** No connection, or no HTTP answer on it. */
  | { readonly kind: 'unreachable'; readonly cause: unknown }
  | { readonly kind: 'untrusted'; readonly cause: unknown }
  | { readonly kind: 'late'; readonly stage: LateStage }
  /** Status 200, but the body broke off. */
  | { readonly kind: 'cut'; readonly cause: unknown }
  | { readonly kind: 'oversized' }

/** Where requests go and how. */
export interface TransportOptions {
  readonly origin: string
  /** Address of the proxy with its credentials. */
  readonly proxy: string | undefined
  readonly connections: number
  /** Milliseconds until an attempt to connect is given up. */
  readonly connectTimeout: number
  /** Aborting it ends every request and destroys every socket, also one still connecting. */
  readonly signal: AbortSignal
}

/** The connections to one service. */
export interface Transport {
  /** @throws the reason of the transport's signal once that is aborted, and nothing else */
  send(request: HttpRequest): Promise<Outcome>
  /** Resolves when all connections are closed; to be called after the signal was aborted. */
  destroy(): Promise<void>
}

/** Opens no connection before the first request. The only door to undici. */
export function createTransport(options: TransportOptions): Transport {
  const dispatcher = createDispatcher(options)
  const destroy = async (): Promise<void> => {
    await dispatcher.destroy()
  }
  // At once, or undici connects again for the requests that were aborted.
  options.signal.addEventListener('abort', destroy, { once: true })
  return { send: (request) => send(dispatcher, request, options), destroy }
}

function createDispatcher(options: TransportOptions): Dispatcher {
  const { origin, proxy, connections, signal } = options
  const timeout = Math.min(Math.ceil(options.connectTimeout), LONGEST_TIMER)
  // Both are checked by the attempt's own timer; undici's are coarse and restart with each byte.
  const shared = { connections, headersTimeout: 0, bodyTimeout: 0 }
  const connect = { signal, timeout }
  if (proxy === undefined) return new Pool(origin, { ...shared, connect })
  return new ProxyAgent({
    ...shared,
    uri: proxy,
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (url, given) => new ProxyPool(url, { ...given, headersTimeout: timeout }),
  })
}

/**
 * The connections to a proxy. When a tunnel fails with one of undici's own socket errors, undici
 * connects again at once and without end (7.30: 2,300 connections in 1.5 s), so these become others.
 */
class ProxyPool extends Pool {
  override async connect(
    options: Omit<Dispatcher.ConnectOptions, 'origin'>,
  ): Promise<Dispatcher.ConnectData> {
    const tunnel = await super.connect(options).catch((cause: unknown) => {
      throw ENDLESS.has(codeOf(cause)) ? new Error('it closed the connection', { cause }) : cause
    })
    if (tunnel.statusCode === 200) return tunnel
    tunnel.socket.on('error', () => {}).destroy()
    throw new Error(`it refused the tunnel with status ${tunnel.statusCode}`)
  }
}

const ENDLESS = new Set(['UND_ERR_SOCKET', 'UND_ERR_INFO'])

async function send(
  dispatcher: Dispatcher,
  { path, headers, limit, budget }: HttpRequest,
  { origin, signal: service }: TransportOptions,
): Promise<Outcome> {
  service.throwIfAborted()
  const timer = new AttemptTimer(budget, service)
  const { signal } = timer
  let answered = false
  try {
    const request = dispatcher.request({ origin, path, method: 'GET', headers, signal })
    const response = await untilAborted(request, signal)
    answered = response.statusCode === 200
    if (answered) timer.headersArrived()
    return await receive(response, limit)
  } catch (cause) {
    service.throwIfAborted()
    return timer.late === undefined ? broken(cause, answered) : { kind: 'late', stage: timer.late }
  } finally {
    timer.end()
  }
}

function broken(cause: unknown, answered: boolean): Outcome {
  if (answered) return { kind: 'cut', cause }
  return { kind: isCertificateFailure(cause) ? 'untrusted' : 'unreachable', cause }
}

/** undici notices the abort of a request that still waits for its connection only when it has one. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}

async function receive(response: Dispatcher.ResponseData, limit: number): Promise<Outcome> {
  const { statusCode: status, body } = response
  const headers = headersOf(response)
  // Reading may end early, which undici reports as an error of the stream.
  body.on('error', () => {})
  const chunks: Uint8Array[] = []
  if (status !== 200) {
    // Whatever came is enough: an error may be told without its body.
    await collect(body, { limit: EXCERPT_BYTES, chunks }).catch(() => false)
  } else if (Number(headers.get('content-length')) > limit) {
    body.destroy()
    return { kind: 'oversized' }
  } else if (!(await collect(body, { limit, chunks }))) {
    return { kind: 'oversized' }
  }
  return { kind: 'answer', answer: { status, headers, body: Buffer.concat(chunks) } }
}

/** Reads a body into `chunks`. @returns false, and destroys it, when it is larger than `limit` */
async function collect(
  body: AsyncIterable<Uint8Array>,
  { limit, chunks }: { limit: number; chunks: Uint8Array[] },
): Promise<boolean> {
  let left = limit
  for await (const chunk of body) {
    chunks.push(chunk)
    left -= chunk.length
    if (left < 0) return false
  }
  return true
}

function headersOf({ headers }: Dispatcher.ResponseData): Map<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(', ')]],
  )
  return new Map(entries)
}
