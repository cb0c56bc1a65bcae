import type { ServerResponse } from 'node:http'

/**
 * The headers of every response. Prompt text is untrusted, so the page may run only its own script,
 * and trusted types prevent any text from being parsed as HTML.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** A response without the headers that every response has. */
export interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** Sends a complete response. */
export function send(response: ServerResponse, { status, headers, body }: PageResponse): void {
  writeHead(response, status, { ...headers, 'content-length': `${Buffer.byteLength(body)}` })
  response.end(body)
}

/** Sends the head of a response whose body follows later. */
export function writeHead(
  response: ServerResponse,
  status: number,
  headers: PageResponse['headers'],
): void {
  response.writeHead(status, { ...HEADERS, ...headers })
}

/** A plain text response, such as the reason of a rejection. */
export function textResponse(
  status: number,
  text: string,
  headers: PageResponse['headers'] = {},
): PageResponse {
  const type = 'text/plain; charset=utf-8'
  return { status, headers: { 'content-type': type, ...headers }, body: `${text}\n` }
}
