import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether an IP address is this machine's own, such as `::ffff:127.0.0.1`. */
export function isLoopbackAddress(address: string): boolean {
  const version = isIP(address)
  return version !== 0 && LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** Whether a Host header names this machine; any port. */
export function isLoopbackHost(header: string | undefined): boolean {
  const name = parseHostname(header)
  const address = name.replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(address)
}

/**
 * Whether a Host header names this machine, or the host that the server was told to listen on;
 * any port. A page on the web that has its own name resolve to 127.0.0.1 (DNS rebinding) sends
 * its own name here, and so gives itself away.
 */
export function isAllowedHost(header: string | undefined, boundHost: string): boolean {
  return isLoopbackHost(header) || parseHostname(header) === formatHost(boundHost).toLowerCase()
}

/** The name in a Host header, in lower case; IPv6 addresses keep their brackets. */
export function parseHostname(header: string | undefined): string {
  return (header ?? '').toLowerCase().replace(/:\d*$/, '')
}

/** A host as it stands in a URL: IPv6 addresses go in brackets. */
export function formatHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
