import type { Server } from 'node:http'
import { errorCode } from '../errors/error-code.ts'
import { PromptsError } from '../errors/prompts-error.ts'

/**
 * Lets a server listen.
 *
 * @param port - 0 takes a free one
 * @returns the port, as the system may have chosen it
 * @throws PromptsError PORT_UNAVAILABLE
 */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port, host }, resolve)
    })
  } catch (cause) {
    throw new PromptsError(
      'PORT_UNAVAILABLE',
      { port, reason: describeListenError(cause, host) },
      { cause },
    )
  }
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'something else uses it'],
  ['EACCES', 'the system reserves it'],
  ['ERR_SOCKET_BAD_PORT', 'ports go from 0 to 65535'],
])

function describeListenError(cause: unknown, host: string): string {
  const code = errorCode(cause)
  return REASONS.get(code) ?? `listening on ${host} failed with ${code || String(cause)}`
}

/** Ends a server and every connection to it at once. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
