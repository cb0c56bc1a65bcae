// Imported by file, because Bun replaces `undici` by its own version without `Pool`.
import { type Dispatcher, Pool, ProxyAgent } from 'undici/index.js'
import { MAX_TIMER_DELAY } from '../config/option-problems.ts'
import { errorCode } from '../errors/error-code.ts'

/** Options of {@link createDispatcher}. */
export interface DispatcherOptions {
  readonly origin: string
  /** URL of the proxy with its credentials. */
  readonly proxy: string | undefined
  readonly connections: number
  /** Time limit for connecting, in milliseconds. */
  readonly connectTimeout: number
  /** Aborts every request and destroys every socket, including those that are still connecting. */
  readonly signal: AbortSignal
}

/**
 * Creates the connections to one service. None is opened before the first request. Only this file imports
 * undici.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
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
