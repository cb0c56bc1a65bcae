import type { ServerResponse } from 'node:http'
import { toPromptsError } from '../../errors/prompts-error.ts'
import type { ErrorView } from '../shown.ts'

/**
 * The headers of every response. Prompt text is untrusted, so a document runs one script, which its hash
 * names, and trusted types prevent any text from being parsed as HTML. With `no-referrer`, browsers would
 * send `Origin: null` with the page's own forms.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': policy("'none'"),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

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

/** A document with the script of this hash. */
export function documentResponse(status: number, html: string, hash: string): PageResponse {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(`'sha256-${hash}'`),
  }
  return { status, headers, body: html }
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

/** After an act: the next address, which the browser asks for with a GET. */
export function redirect(status: 302 | 303, location: string): PageResponse {
  return textResponse(status, `The page is at ${location}`, { location })
}

/** An error for the page, without cause and stack. */
export function errorView(error: unknown): ErrorView {
  const { code, why, fix } = toPromptsError(error)
  return { code, why, fix }
}

/** The response to what no document can express. */
export function errorResponse(error: unknown): PageResponse {
  const { code, why, fix } = errorView(error)
  return textResponse(500, `[${code}] ${why}\n${fix}`)
}
