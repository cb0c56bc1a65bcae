/**
 * Who may use the page: browsers on this machine, for the page alone. The server has an origin of its own, so
 * the app that is developed, its dependencies and all other sites are foreign to it.
 *
 * Not defended: other users of this machine, and raw TCP tunnels. Both can send any header.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ResolvedOptions } from '../../config/resolve-options.ts'
import { isLoopbackAddress, isLoopbackHost } from '../../http/listen.ts'

/** A request, as far as access depends on it. */
type Asked = Pick<IncomingMessage, 'headers'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress' | 'localPort'>
}

/** Why a request is refused, whatever it asks for; `undefined` if not: DNS rebinding has another Host. */
export function hostRefusal({ headers, socket: { localPort } }: Asked): string | undefined {
  const isOwn = ['127.0.0.1', 'localhost'].some((name) => headers.host === `${name}:${localPort}`)
  return isOwn ? undefined : `This page is at http://127.0.0.1:${localPort}/ only.`
}

/** What browsers send with a request of the page's own script. */
const OWN_FETCH: Readonly<Record<string, readonly string[]>> = {
  'sec-fetch-site': ['same-origin'],
  'sec-fetch-mode': ['cors', 'same-origin'],
  'sec-fetch-dest': ['empty'],
}

/** Why a POST is refused, which spends reads, checks code, opens the editor or writes; `undefined` if not. */
export function actRefusal(
  request: Asked,
  { page, writes }: { readonly page: ResolvedOptions['page']; readonly writes: boolean },
): string | undefined {
  const { headers } = request
  const isJson = headers['content-type'] === 'application/json'
  const isOwn =
    headers.origin === `http://${headers.host}` &&
    Object.entries(OWN_FETCH).every(([name, values]) => values.includes(String(headers[name])))
  if (!isJson || !isOwn) return 'Only the script of this page may do this.'
  if (!isOnThisMachine(request)) return 'Only a browser on this machine may do this.'
  return writes && page !== true ? 'This page only reads, as the option `page` says.' : undefined
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
