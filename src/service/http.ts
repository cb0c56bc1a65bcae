// Imported by file, because Bun replaces `undici` by its own version without `Pool`.
import { type Dispatcher, Pool, ProxyAgent } from 'undici/index.js'
import { MAX_TIMER_DELAY } from '../config/option-problems.ts'
import { Exchange, type ExchangeLimits, type Outcome } from './exchange.ts'
import { errorCode } from '../errors/error-code.ts'

/** One GET request. */
export interface HttpRequest extends ExchangeLimits {
  /** Already encoded, with the path prefix of the base address. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Options of {@link createTransport}. */
export interface TransportOptions {
  readonly origin: string
  /** URL of the proxy with its credentials. */
  readonly proxy: string | undefined
  readonly connections: number
  /** Time limit for connecting, in milliseconds. */
  readonly connectTimeout: number
  /** Aborts every request and destroys every socket, including those that are still connecting. */
  readonly signal: AbortSignal
}

/** The connections to one service. */
export interface Transport {
  /** @throws the reason of the transport's signal once that is aborted, and nothing else */
  send(request: HttpRequest): Promise<Outcome>
  /** Resolves when all connections are closed. Call it after aborting the signal. */
  destroy(): Promise<void>
}

/** Creates a transport. It opens no connection before the first request. Only this file imports undici. */
export function createTransport(options: TransportOptions): Transport {
  const dispatcher = createDispatcher(options)
  const destroy = async (): Promise<void> => {
    await dispatcher.destroy()
  }
  // Immediately, or undici would connect again for the aborted requests.
  options.signal.addEventListener('abort', destroy, { once: true })
  return { send: (request) => send(dispatcher, request, options), destroy }
}

function createDispatcher(options: TransportOptions): Dispatcher {
  const { origin, proxy, connections, signal } = options
  const timeout = Math.min(Math.ceil(options.connectTimeout), MAX_TIMER_DELAY)
  // `Exchange` has its own timers; those of undici are coarse and restart with each byte.
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

async function send(
  dispatcher: Dispatcher,
  { path, headers, ...limits }: HttpRequest,
  { origin, signal }: TransportOptions,
): Promise<Outcome> {
  signal.throwIfAborted()
  const exchange = new Exchange(limits)
  // Destroying the dispatcher aborts running and waiting requests.
  dispatcher.dispatch({ origin, path, method: 'GET', headers: { ...headers } }, exchange)
  const outcome = await exchange.outcome
  signal.throwIfAborted()
  return outcome
}
