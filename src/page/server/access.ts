import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isLoopbackAddress, isLoopbackHost } from '../../http/listen.ts'
import { rejectionReason } from './guard.ts'

/** The query parameter that carries the token in the address that the dev server prints. */
export const TOKEN_PARAMETER = 'token'

/** The header that may carry the token, for clients that are not browsers. */
const TOKEN_HEADER = 'x-prompts-token'

/** The access token for clients on other machines; new at every start. */
export interface AccessToken {
  readonly token: string
  /** Name of the cookie: browsers share cookies between the ports of a host. */
  readonly cookie: string
}

/** Creates a random token. */
export function createAccessToken(): AccessToken {
  return {
    token: randomBytes(24).toString('base64url'),
    cookie: `prompts-page-${randomBytes(4).toString('hex')}`,
  }
}

/** The parts of a request that decide about access. */
export interface AccessRequest {
  /** IP address of the peer; `undefined` for a closed connection and for a Unix socket. */
  readonly peer: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The token in the URL. */
  readonly query: string | null
}

/** Whether a request is allowed. */
export type Access =
  | { readonly kind: 'granted' }
  /** The URL has the token: the browser should keep it as a cookie. */
  | { readonly kind: 'token-accepted' }
  /** A request from another site, or with an unknown host name. */
  | { readonly kind: 'rejected'; readonly why: string }
  /** Apparently not from this machine, and without the token. */
  | { readonly kind: 'missing-token' }

/**
 * Decides which clients may use the page: those on this machine, and those with the token.
 *
 * @param hosts - see {@link rejectionReason}
 */
export function accessOf(
  { peer, headers, query }: AccessRequest,
  { pass, hosts }: { readonly pass: AccessToken; readonly hosts: readonly string[] },
): Access {
  const why = rejectionReason(headers, hosts)
  if (why !== undefined) return { kind: 'rejected', why }
  if (query !== null && isSame(query, pass.token)) return { kind: 'token-accepted' }
  const isLocal = isOnThisMachine(peer, headers)
  const presented = [headers[TOKEN_HEADER], cookieOf(headers, pass.cookie)]
  const hasToken = presented.some((value) => typeof value === 'string' && isSame(value, pass.token))
  return { kind: isLocal || hasToken ? 'granted' : 'missing-token' }
}

/**
 * Whether a connection comes from a loopback address, requests a loopback host, and has no proxy
 * header: tunnels and port forwarding also connect from this machine.
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
function isSame(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
