/**
 * Who may use the page: browsers on this machine, and clients with the token. Nobody from another site: a
 * page on the web can make the browser send requests to this server, through DNS rebinding (the Host
 * header then has that page's host name) or as a cross-site request.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { formatHost, isLoopbackAddress, isLoopbackHost, parseHostname } from '../../http/listen.ts'
import { PAGE_PATH } from '../protocol.ts'
import { type PageResponse, textResponse } from './respond.ts'

/** Options of {@link createGate}. */
export interface GateOptions {
  /**
   * Host names, besides those of this machine, that the server answers to; `.name` includes its
   * subdomains, as in Vite's `server.allowedHosts`.
   */
  readonly hosts?: () => readonly string[]
  /**
   * Called once, when a client on another machine was rejected because it has no token, with the
   * URL that gives access.
   */
  readonly onTokenMissing?: (url: string) => void
  /** The mount path of the page. Default: {@link PAGE_PATH}. */
  readonly mount?: string
}

/** Allows or rejects requests. */
export interface Gate {
  /** The query with the token, for clients on other machines. */
  readonly tokenQuery: string
  /** The response to a rejected or redirected request; `undefined` if it is allowed. */
  check(request: IncomingMessage, query: URLSearchParams): PageResponse | undefined
}

/** The query parameter that carries the token in the address that the dev server prints. */
const TOKEN_PARAMETER = 'token'

/** The header that may carry the token, for clients that are not browsers. */
const TOKEN_HEADER = 'x-prompts-token'

const MISSING_TOKEN =
  'Clients on other machines need a token for this page. ' +
  'Open the URL with the token that the dev server prints in its terminal.'

/** The message to print when a client without the token was rejected. */
export function tokenHelp(url: string): string {
  return `A client on another machine requested the prompts page. To give it access, open ${url}`
}

/** Creates the gate of one server, with a new token. */
export function createGate({
  hosts = () => [],
  onTokenMissing,
  mount = PAGE_PATH,
}: GateOptions): Gate {
  const token = randomBytes(24).toString('base64url')
  // Browsers share cookies between the ports of a host.
  const cookie = `prompts-page-${randomBytes(4).toString('hex')}`
  const tokenQuery = `?${TOKEN_PARAMETER}=${token}`
  let hasReported = false
  return {
    tokenQuery,
    check(request, query) {
      const { headers, socket } = request
      const offer = query.get(TOKEN_PARAMETER)
      if (offer !== null) forgetQuery(request)
      const why = rejectionReason(headers, hosts())
      if (why !== undefined) return textResponse(403, why)
      if (isToken(offer, token)) {
        const secure = isEncrypted(request) ? '; Secure' : ''
        return textResponse(302, 'The token was stored as a cookie.', {
          // Without the token, to keep it out of the history.
          location: `${mount}/`,
          'set-cookie': `${cookie}=${token}; Path=${mount}; HttpOnly; SameSite=Strict${secure}`,
        })
      }
      const tokens = [headers[TOKEN_HEADER], cookieOf(headers, cookie)]
      const isLocal = isOnThisMachine(socket.remoteAddress, headers)
      if (isLocal || tokens.some((value) => isToken(value, token))) return undefined
      if (!hasReported) onTokenMissing?.(`${originOf(request)}${mount}/${tokenQuery}`)
      hasReported = true
      return textResponse(403, MISSING_TOKEN)
    },
  }
}

/** Removes the token from the URL, because dev servers log the URLs of requests. */
function forgetQuery(request: IncomingMessage & { originalUrl?: string }): void {
  const withoutQuery = (url: string): string => url.replace(/\?.*$/s, '')
  request.url = withoutQuery(request.url ?? '/')
  if (request.originalUrl !== undefined) request.originalUrl = withoutQuery(request.originalUrl)
}

/** Why a request is rejected regardless of its sender; `undefined` if it is not. */
function rejectionReason(
  headers: IncomingHttpHeaders,
  hosts: readonly string[],
): string | undefined {
  const { host, origin } = headers
  if (!isKnownHost(host, hosts))
    return 'This page is only available under the host names of this dev server.'
  if (isForeignOrigin(origin, host) || isForeignFetch(headers))
    return 'This page does not answer requests from other sites.'
  return undefined
}

function isKnownHost(header: string | undefined, hosts: readonly string[]): boolean {
  if (isLoopbackHost(header)) return true
  const name = parseHostname(header)
  const isNameOf = (host: string): boolean =>
    host.startsWith('.')
      ? name.endsWith(host.toLowerCase()) || name === host.slice(1).toLowerCase()
      : name === formatHost(host).toLowerCase()
  return name !== '' && hosts.some(isNameOf)
}

/** A proxy may terminate TLS, so the scheme is not compared. */
function isForeignOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase()
}

/**
 * Whether another site sends the request, according to the browser. Another port of this machine is
 * the same site: it may link here, which opens the page in a tab, and nothing else.
 */
function isForeignFetch(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  const opens = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return site !== 'same-site' || !opens
}

/**
 * Whether a connection comes from a loopback address, requests a loopback host, and has no proxy
 * header: tunnels and port forwarding also connect from this machine.
 *
 * @param peer - its IP address; `undefined` for a closed connection and for a Unix socket
 */
export function isOnThisMachine(peer: string | undefined, headers: IncomingHttpHeaders): boolean {
  return isLoopbackAddress(peer ?? '') && isLoopbackHost(headers.host) && !isForwarded(headers)
}

/**
 * Prefixes of the headers that proxies, tunnels and content delivery networks add: the standard
 * ones, and those of Cloudflare, ngrok, Tailscale, Fastly, Fly, Envoy, AWS, Azure (Codespaces and
 * dev tunnels), Google and Vercel. Browsers send none of them.
 */
const FORWARDING: readonly string[] = (
  'forwarded via x-forwarded x-original- x-real- x-proxy client-ip x-client-ip true-client- ' +
  'x-cluster- x-envoy- cdn-loop cf- ngrok- x-ngrok- tailscale- fastly- fly- x-amz x-azure- ' +
  'x-arr- x-ms- x-tunnel- x-github- x-appengine- x-cloud- x-vercel-'
).split(' ')

function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => FORWARDING.some((start) => name.startsWith(start)))
}

function cookieOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** Compares in constant time. */
function isToken(value: unknown, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return typeof value === 'string' && timingSafeEqual(digest(value), digest(token))
}

/** The Host header can be trusted: it was checked before. */
function originOf(request: IncomingMessage): string {
  return `${isEncrypted(request) ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`
}

function isEncrypted({ socket, headers }: IncomingMessage): boolean {
  return 'encrypted' in socket || headers['x-forwarded-proto'] === 'https'
}
