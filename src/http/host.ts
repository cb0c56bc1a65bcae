import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether an IP address is a loopback address, such as `::ffff:127.0.0.1`. */
export function isLoopbackAddress(address: string): boolean {
  const version = isIP(address)
  return version !== 0 && LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Whether a Host header is a loopback host, with any port. A website whose name resolves to 127.0.0.1
 * (DNS rebinding) sends its own name.
 */
export function isLoopbackHost(header: string | undefined): boolean {
  const name = parseHostname(header)
  const address = name.replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(address)
}

/** Returns the name in a Host header in lower case; IPv6 addresses keep their brackets. */
export function parseHostname(header: string | undefined): string {
  return (header ?? '').toLowerCase().replace(/:\d*$/, '')
}

/** Formats a host for a URL: IPv6 addresses get brackets. */
export function formatHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
