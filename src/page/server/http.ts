/**
 * Who may use the page: browsers on this machine, for the page alone. The server has an origin of its own, so
 * the app that is developed, its dependencies and all other sites are foreign to it.
 *
 * Not defended: other users of this machine, and raw TCP tunnels. Both can send any header.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { toPromptsError } from '../../errors/prompts-error.ts'
import { isLoopbackAddress, isLoopbackHost } from '../../http/listen.ts'
import type { ErrorView } from '../shown.ts'

/** A request, as far as access depends on it. */
type Asked = Pick<IncomingMessage, 'headers'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress' | 'localPort'>
}

/**
 * What a request is for: a document or what one consists of, the events, which only the page's script asks
 * for, or a form that acts.
 */
type Purpose = 'document' | 'events' | 'act'

/** Why a request is refused; `undefined` if it is not. */
export function refusalOf(request: Asked, purpose: Purpose): string | undefined {
  const { headers, socket } = request
  const { host = '', origin = `http://${host}`, 'sec-fetch-site': site = 'none' } = headers
  const { localPort: port } = socket
  // DNS rebinding has another Host. Browsers leave out port 80.
  const isOwnHost = ['127.0.0.1', 'localhost'].some(
    (name) => new URL(`http://${name}:${port}`).host === host,
  )
  if (!isOwnHost) return `This page is at http://127.0.0.1:${port}/ only.`
  if (!isOnThisMachine(request)) return 'Only a browser on this machine may do this.'
  // Shown as a document in a window of its own.
  const isNavigation =
    headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  const isSame = site === 'same-origin'
  const isAllowed = {
    act: headers.origin !== undefined && isSame && isNavigation,
    events: isSame,
    document: isSame || site === 'none' || isNavigation,
  }
  return isAllowed[purpose] && origin === `http://${host}` ? undefined : REFUSALS[purpose]
}

const REFUSALS = {
  act: 'Only a form of this page may do this.',
  events: 'Only the script of this page may do this.',
  document: 'Other sites may only link to this page.',
} as const

/**
 * Whether a connection comes from a loopback address, asks for a loopback host, and has no header of a proxy:
 * tunnels and port forwarding also connect from this machine.
 */
export function isOnThisMachine({ headers, socket }: Asked): boolean {
  const isLoopback = isLoopbackAddress(socket.remoteAddress ?? '') && isLoopbackHost(headers.host)
  return isLoopback && !Object.keys(headers).some((name) => FORWARDING.test(name))
}

/**
 * How the headers begin that proxies, tunnels and content delivery networks add: the standard ones, and those of
 * Cloudflare, ngrok, Tailscale, Fastly, Fly, Envoy, AWS, Azure (Codespaces and dev tunnels), Google and Vercel.
 * Browsers send none of them.
 */
const FORWARDING =
  /^(?:forwarded|via|client-ip|true-client-|cdn-loop|cf-|ngrok-|tailscale-|fastly-|fly-|x-(?:forwarded|original-|real-|proxy|client-ip|cluster-|envoy-|ngrok-|amz|azure-|arr-|ms-|tunnel-|github-|appengine-|cloud-|vercel-))/

/** The content security policy. */
function policy(script: string): string {
  return [
    "default-src 'none'",
    `script-src ${script}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/**
 * The headers of every answer. Prompt text is untrusted, so a document runs one script, which its hash
 * names, and trusted types prevent any text from being parsed as HTML. With `no-referrer`, browsers would
 * send `Origin: null` with the page's own forms.
 */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': policy("'none'"),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Bytes of two texts of the largest size, 10 MB, with every byte percent-encoded, and of the other fields. */
const MAX_BODY = 64 * 1024 * 1024

/**
 * Reads the body of a form.
 *
 * @returns `undefined` as soon as more has arrived than a form can have; the rest is discarded
 */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    chunks.push(chunk)
    if (size > MAX_BODY) break
  }
  request.resume()
  return size > MAX_BODY ? undefined : Buffer.concat(chunks).toString()
}

/** An answer without the headers that every answer has. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const length = { 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, { ...HEADERS, ...headers, ...length }).end(body)
}

/** A document that runs this script. */
export function html(status: number, body: string, script: string): Answer {
  const hash = createHash('sha256').update(script).digest('base64')
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(`'sha256-${hash}'`),
  }
  return { status, headers, body }
}

/** Plain text, such as the reason of a refusal. */
export function plain(status: number, text: string, headers: Answer['headers'] = {}): Answer {
  const type = { 'content-type': 'text/plain; charset=utf-8' }
  return { status, headers: { ...type, ...headers }, body: `${text}\n` }
}

/** After an act: the next address, which the browser asks for with a GET. */
export function redirect(status: 302 | 303, location: string): Answer {
  return plain(status, `The page is at ${location}`, { location })
}

/** An error for the page, without cause and stack. */
export function errorView(error: unknown): ErrorView {
  const { code, why, fix } = toPromptsError(error)
  return { code, why, fix }
}

/** The answer to what no document can express. */
export function failure(error: unknown): Answer {
  const { code, why, fix } = errorView(error)
  return plain(500, `[${code}] ${why}\n${fix}`)
}
