import { once } from 'node:events'
import type { Server } from 'node:http'
import { errorCode, PromptsError } from '../errors/prompts-error.ts'
import { BlockList, isIP } from 'node:net'

/** Only connections from this machine arrive here. */
export const HOST = '127.0.0.1'

/**
 * Makes a server listen on this machine only.
 *
 * @param port - 0 chooses a free one
 * @param attempts - how many ports from there on are tried
 * @returns the port that the server listens on
 */
export async function listen(server: Server, port: number, attempts: number = 1): Promise<number> {
  try {
    await once(server.listen({ port, host: HOST }), 'listening')
  } catch (cause) {
    const isInUse = errorCode(cause) === 'EADDRINUSE'
    if (isInUse && attempts > 1) return listen(server, port + 1, attempts - 1)
    const reason = describeListenError(cause)
    throw new PromptsError('PORT_UNAVAILABLE', { port, reason }, { cause })
  }
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'it is already in use'],
  ['EACCES', 'permission denied'],
  ['ERR_SOCKET_BAD_PORT', 'a port is a number from 0 to 65535'],
])

function describeListenError(cause: unknown): string {
  const code = errorCode(cause)
  return REASONS.get(code) ?? `listening on ${HOST} failed with ${code || String(cause)}`
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

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
  const name = (header ?? '').toLowerCase().replace(/:\d*$/, '')
  const address = name.replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(address)
}
