// Imported by file, because Bun replaces `undici` by its own version without `Pool`.
import { type Dispatcher, Pool, ProxyAgent } from 'undici/index.js'
import { errorCode } from '../errors/error-code.ts'
import { EXCERPT_BYTES } from './mask.ts'
import type { Budget } from './retry.ts'

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
  const timeout = Math.ceil(options.connectTimeout)
  // `receive` has its own timers; those of undici are coarse and restart with each byte.
  const shared = { connections, headersTimeout: 0, bodyTimeout: 0 }
  const connect = { signal, timeout }
  if (proxy === undefined) return new Pool(origin, { ...shared, connect })
  return new ProxyAgent({
    ...shared,
    uri: proxy,
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (url, settings) => new ProxyPool(url, { ...settings, headersTimeout: timeout }),
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

/** A response as received. */
export interface HttpResponse {
  readonly status: number
  /** By lower-case name; a repeated header is an array. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Complete for status 200, still encoded; otherwise only what an excerpt needs. */
  readonly body: Uint8Array
}

/** Returns a header by its lower-case name; repeated ones are joined with `, `. */
export function getHeader(
  { headers }: Pick<HttpResponse, 'headers'>,
  name: string,
): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** How one request ended. */
export type Outcome =
  | { readonly kind: 'response'; readonly response: HttpResponse }
  /** No connection, or no HTTP response. */
  | { readonly kind: 'unreachable'; readonly cause: unknown }
  /** The headers or the whole response. */
  | { readonly kind: 'timed-out'; readonly stage: 'headers' | 'body' }
  /** Status 200, but the body is incomplete. */
  | { readonly kind: 'truncated'; readonly cause: unknown }
  | { readonly kind: 'too-large' }

/** One attempt at a request, and its limits. */
export interface Exchange extends Pick<Dispatcher.RequestOptions, 'path'> {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  /** Maximum size of a body with status 200, in bytes. */
  readonly limit: number
  readonly budget: Budget
}

/** Sends one request, and ends it on a timeout or if the response is too large. Never rejects. */
export async function receive(dispatcher: Dispatcher, exchange: Exchange): Promise<Outcome> {
  const { origin, path, headers, limit, budget } = exchange
  const aborter = new AbortController()
  const { signal } = aborter
  const headersTimer = setTimeout(() => aborter.abort(), budget.headers)
  // One deadline over everything: undici's bodyTimeout starts again with each byte.
  const totalTimer = setTimeout(() => aborter.abort(), budget.total)
  try {
    const request = dispatcher.request({ origin, path, method: 'GET', headers, signal })
    // undici looks at the signal only when the connection is open.
    const response = await Promise.race([request, rejectOnAbort(signal)])
    if (response.statusCode !== 200) return await receiveError(response)
    clearTimeout(headersTimer)
    return await receiveBody(response, limit, signal)
  } catch (cause) {
    return signal.aborted ? { kind: 'timed-out', stage: 'headers' } : { kind: 'unreachable', cause }
  } finally {
    clearTimeout(headersTimer)
    clearTimeout(totalTimer)
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

async function receiveBody(
  response: Dispatcher.ResponseData,
  limit: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const size = Number(getHeader(response, 'content-length'))
  const chunks: Uint8Array[] = []
  try {
    if (size > limit || !(await receiveChunks(response, limit, chunks))) {
      response.body.on('error', () => {}).destroy()
      return { kind: 'too-large' }
    }
  } catch (cause) {
    return signal.aborted ? { kind: 'timed-out', stage: 'body' } : { kind: 'truncated', cause }
  }
  return toOutcome(response, chunks)
}

/** An error status is reported with the part of its body that arrives in time. */
async function receiveError(response: Dispatcher.ResponseData): Promise<Outcome> {
  const chunks: Uint8Array[] = []
  await receiveChunks(response, EXCERPT_BYTES, chunks).catch(() => {})
  return toOutcome(response, chunks)
}

/** Returns whether the body has no more bytes than the limit, and otherwise ends the response. */
async function receiveChunks(
  { body }: Dispatcher.ResponseData,
  limit: number,
  chunks: Uint8Array[],
): Promise<boolean> {
  let remainingBytes = limit
  for await (const chunk of body.on('error', () => {})) {
    chunks.push(chunk)
    remainingBytes -= chunk.length
    if (remainingBytes < 0) return false
  }
  return true
}

function toOutcome(
  { statusCode: status, headers }: Dispatcher.ResponseData,
  chunks: readonly Uint8Array[],
): Outcome {
  const body = Buffer.concat(chunks)
  return { kind: 'response', response: { status, headers, body } }
}
