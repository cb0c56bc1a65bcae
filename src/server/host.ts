const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a Host header names this machine, or the host that the server was told to listen on;
 * any port. A page on the web that has its own name resolve to 127.0.0.1 (DNS rebinding) sends
 * its own name here, and so gives itself away.
 */
export function isLocalHost(header: string | undefined, listening: string): boolean {
  const name = (header ?? '').toLowerCase().replace(/:\d*$/, '')
  return LOCAL.has(name) || name === inUrl(listening).toLowerCase()
}

/** A host as it stands in a URL: IPv6 addresses go in brackets. */
export function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
