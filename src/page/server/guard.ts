import type { IncomingHttpHeaders } from 'node:http'
import { formatHost, isLoopbackHost, parseHostname } from '../../http/listen.ts'

/**
 * Why a request is rejected regardless of its sender; `undefined` if it is not. A page on the web
 * can make the browser send requests to this server, through DNS rebinding (the Host header then has
 * that page's host name) or as a cross-site request.
 *
 * @param hosts - host names, besides those of this machine, that the dev server is configured to
 *   answer to; `.name` includes its subdomains, as in Vite's `server.allowedHosts`
 */
export function rejectionReason(
  headers: IncomingHttpHeaders,
  hosts: readonly string[],
): string | undefined {
  if (!isKnownHost(headers.host, hosts)) {
    return 'This page is only available under the host names of this dev server.'
  }
  const { origin } = headers
  if (origin !== undefined && !isOwnOrigin(origin, headers.host)) {
    return 'This page does not answer requests from other sites.'
  }
  return isForeignFetch(headers)
    ? 'This page does not answer requests from other sites.'
    : undefined
}

function isKnownHost(header: string | undefined, hosts: readonly string[]): boolean {
  if (header === undefined || header === '') return false
  const name = parseHostname(header)
  if (isLoopbackHost(header)) return true
  return hosts.some((host) =>
    host.startsWith('.')
      ? name.endsWith(host.toLowerCase()) || name === host.slice(1).toLowerCase()
      : name === formatHost(host).toLowerCase(),
  )
}

/** A proxy may terminate TLS, so the scheme is not compared. */
function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
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
