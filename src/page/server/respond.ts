import type { ServerResponse } from 'node:http'

/**
 * What the browser is told with every answer. Prompt text is other people's text, so the page may
 * run its own script and nothing else; trusted types make sure that no text is ever parsed as HTML.
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
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** An answer without its standing headers. */
export interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** Sends a whole answer. */
export function send(response: ServerResponse, { status, headers, body }: PageResponse): void {
  writeHead(response, status, { ...headers, 'content-length': `${Buffer.byteLength(body)}` })
  response.end(body)
}

/** Sends the head of an answer whose body is still to come. */
export function writeHead(
  response: ServerResponse,
  status: number,
  headers: PageResponse['headers'],
): void {
  // The dev server's CORS middleware may have said otherwise before.
  for (const name of response.getHeaderNames()) {
    if (name.startsWith('access-control-')) response.removeHeader(name)
  }
  response.writeHead(status, { ...HEADERS, ...headers })
}

/** A short text, such as why there is nothing else. */
export function textResponse(
  status: number,
  text: string,
  headers: PageResponse['headers'] = {},
): PageResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    body: `${text}\n`,
  }
}
