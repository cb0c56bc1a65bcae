// By its file: under its name Bun gives a stand-in of its own, which has no pool.
import { type Dispatcher, Pool, ProxyAgent } from 'undici/index.js'
import { MAX_TIMER_DELAY } from '../config/option-problems.ts'
import { Exchange, type ExchangeLimits, type Outcome } from './exchange.ts'
import { errorCode } from '../errors/error-code.ts'

/** One GET request. */
export interface HttpRequest extends ExchangeLimits {
  /** Sent as it is: already encoded, with the prefix of the base address. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

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
  const timeout = Math.min(Math.ceil(options.connectTimeout), MAX_TIMER_DELAY)
  // The exchange has timers of its own; undici's are coarse and start again with each byte.
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

async function send(
  dispatcher: Dispatcher,
  { path, headers, ...limits }: HttpRequest,
  { origin, signal }: TransportOptions,
): Promise<Outcome> {
  signal.throwIfAborted()
  const exchange = new Exchange(limits)
  // The abort itself comes from destroying the dispatcher: it ends what runs and what still waits.
  dispatcher.dispatch({ origin, path, method: 'GET', headers: { ...headers } }, exchange)
  const outcome = await exchange.outcome
  signal.throwIfAborted()
  return outcome
}
