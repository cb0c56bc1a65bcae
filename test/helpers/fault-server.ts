import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { certificate } from './certificate.ts'

/** A request as it came over the wire. */
export interface ReceivedRequest {
  readonly method: string
  /** As sent, not decoded. */
  readonly target: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
}

/** What the server does with one request: writes, waits, breaks. */
export type Play = (socket: Socket, request: ReceivedRequest) => void

/** A server of one's own bytes on 127.0.0.1, closed when the test ends. */
export interface FaultServer {
  readonly url: string
  readonly port: number
  readonly requests: readonly ReceivedRequest[]
  connections(): number
  open(): number
}

/**
 * Starts a server on raw sockets: the first request gets the first play, and so on; the last play
 * answers all that follow.
 */
export async function startFaultServer(
  plays: Play | readonly Play[],
  { tls = false }: { tls?: boolean } = {},
): Promise<FaultServer> {
  const script = [plays].flat()
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const count = (socket: Socket): void => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  }
  const serve = (socket: Socket): void => {
    socket.on('error', () => {})
    readHeads(socket, (request) => {
      requests.push(request)
      script[Math.min(requests.length, script.length) - 1]?.(socket, request)
    })
  }
  const server = tls ? createTlsServer(certificate, serve) : createServer(serve)
  server.on('connection', count)
  const port = await listen(server)
  onTestFinished(() => stop(server, sockets))
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`
  return { url, port, requests, connections: () => connections, open: () => sockets.size }
}

async function listen(server: Server): Promise<number> {
  // Handshakes that a client refuses are expected.
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function stop(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
}

/** Requests have no body here: each ends with the blank line. */
function readHeads(socket: Socket, handle: (request: ReceivedRequest) => void): void {
  let buffer = ''
  socket.on('data', (chunk) => {
    buffer += chunk.toString('latin1')
    for (let end = buffer.indexOf('\r\n\r\n'); end !== -1; end = buffer.indexOf('\r\n\r\n')) {
      const request = parseHead(buffer.slice(0, end))
      buffer = buffer.slice(end + 4)
      handle(request)
    }
  })
}

function parseHead(text: string): ReceivedRequest {
  const [first = '', ...lines] = text.split('\r\n')
  const [method = '', target = ''] = first.split(' ')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { method, target, headers: Object.fromEntries(headers) }
}

type Headers = Readonly<Record<string, string>>

/** The head of an answer, for plays that write the rest themselves. */
export function head(status: number, headers: Headers = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n`
}

/** A whole answer with the right length. */
export function answer(status: number, body: string | Uint8Array, headers: Headers = {}): Play {
  const bytes = Buffer.from(body)
  const all = {
    'content-type': 'application/json',
    'content-length': `${bytes.length}`,
    ...headers,
  }
  return (socket) => {
    socket.write(Buffer.concat([Buffer.from(head(status, all)), bytes]))
  }
}

export function json(body: unknown, headers: Headers = {}): Play {
  return answer(200, JSON.stringify(body), headers)
}

/** Accepts the request and never answers. */
export const stall: Play = () => {}

/** Resets the connection (RST). */
export const reset: Play = (socket) => {
  socket.resetAndDestroy()
}

/** Closes the connection without an answer. */
export const hangUp: Play = (socket) => {
  socket.end()
}

/** Writes this as it is and closes. */
export function raw(text: string | Uint8Array): Play {
  return (socket) => {
    socket.end(text)
  }
}

/** Headers at once, then one byte of the body per interval in milliseconds, without an end. */
export function drip(everyMs: number): Play {
  return (socket) => {
    socket.write(head(200, { 'content-type': 'application/json' }))
    const timer = setInterval(() => socket.write(' '), everyMs)
    socket.on('close', () => clearInterval(timer))
  }
}

/** An endless body without a length, as fast as the reader accepts it. */
export const flood: Play = (socket) => {
  const block = Buffer.alloc(1024 * 1024, '[')
  const write = (): void => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.write(head(200, { 'content-type': 'application/json' }))
  socket.on('drain', write)
  write()
}

/** Answers CONNECT as a proxy does, and passes the bytes on to a port of this machine. */
export function tunnelTo(port: number): Play {
  return (socket) => {
    const service = connect(port, '127.0.0.1')
    service.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('close', () => service.destroy()).removeAllListeners('data')
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(service).pipe(socket)
  }
}
