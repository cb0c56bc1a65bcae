/**
 * Who may use the page: browsers on this machine, for the page alone. The server has an origin of its own, so
 * the app that is developed, its dependencies and all other sites are foreign to it.
 *
 * Not defended: other users of this machine, and raw TCP tunnels. Both can send any header.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isLoopbackAddress, isLoopbackHost } from '../../http/listen.ts'

/** A request, as far as access depends on it. */
type Asked = Pick<IncomingMessage, 'headers'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress' | 'localPort'>
}

/**
 * What a request is for: a document or what one consists of, the events, which only the page's script asks
 * for, or a form that acts.
 */
export type Purpose = 'document' | 'events' | 'act'

/** Why a request is refused; `undefined` if it is not. */
export function refusalOf(request: Asked, purpose: Purpose): string | undefined {
  const { headers, socket } = request
  const { host, origin, 'sec-fetch-site': site } = headers
  // DNS rebinding has another Host.
  const isOwnHost = ['127.0.0.1', 'localhost'].some(
    (name) => host === `${name}:${socket.localPort}`,
  )
  if (!isOwnHost) return `This page is at http://127.0.0.1:${socket.localPort}/ only.`
  if (!isOnThisMachine(request)) return 'Only a browser on this machine may do this.'
  const isOwnOrigin = origin === `http://${host}`
  if (purpose === 'act')
    return isOwnOrigin && site === 'same-origin' && isNavigation(headers)
      ? undefined
      : 'Only a form of this page may do this.'
  const isOwn = isOwnOrigin || origin === undefined
  if (purpose === 'events')
    return isOwn && site === 'same-origin' ? undefined : 'Only the script of this page may do this.'
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
  return isOwn && (!isForeign || isNavigation(headers))
    ? undefined
    : 'Other sites may only link to this page.'
}

/** Whether the answer is shown as a document in a window of its own. */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

/**
 * Whether a connection comes from a loopback address, asks for a loopback host, and has no header of a proxy:
 * tunnels and port forwarding also connect from this machine.
 */
export function isOnThisMachine({ headers, socket }: Asked): boolean {
  const isLoopback = isLoopbackAddress(socket.remoteAddress ?? '') && isLoopbackHost(headers.host)
  return isLoopback && !isForwarded(headers)
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
