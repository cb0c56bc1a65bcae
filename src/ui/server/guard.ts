import type { IncomingHttpHeaders } from 'node:http'
import { isLocalHost } from '../../server/host.ts'

/**
 * Why a request is refused, or `undefined` where it is welcome (FAULTS 62). A page on the web can
 * have the browser send requests here, by name (DNS rebinding gives it the Host header of its own)
 * or as a foreign site: none of them learns anything.
 *
 * @param hosts - names beside this machine's that the dev server was told to answer to; `.name`
 *   stands for every name below it, as in Vite's `server.allowedHosts`
 */
export function refusalOf(
  headers: IncomingHttpHeaders,
  hosts: readonly string[],
): string | undefined {
  if (!isKnownHost(headers.host, hosts)) {
    return 'This page answers only under the names of this dev server.'
  }
  const { origin } = headers
  if (origin !== undefined && !isOwnOrigin(origin, headers.host)) {
    return 'This page answers no requests of other sites.'
  }
  return isForeignFetch(headers) ? 'This page answers no requests of other sites.' : undefined
}

function isKnownHost(header: string | undefined, hosts: readonly string[]): boolean {
  if (header === undefined || header === '') return false
  const name = header.toLowerCase().replace(/:\d*$/, '')
  if (name.endsWith('.localhost') || isLocalHost(header, 'localhost')) return true
  return hosts.some((host) =>
    host.startsWith('.')
      ? name.endsWith(host.toLowerCase()) || name === host.slice(1).toLowerCase()
      : isLocalHost(header, host),
  )
}

/** A proxy may end TLS before us, so the scheme is not compared. */
function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
}

/**
 * Browsers say who asks. Another port of this machine is the same site: it may link here, that is
 * open the page in a tab, and nothing else.
 */
function isForeignFetch(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  const opens = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return site !== 'same-site' || !opens
}
