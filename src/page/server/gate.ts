import type { IncomingMessage } from 'node:http'
import { PAGE_PATH } from '../protocol.ts'
import { accessOf, createAccessToken, type AccessToken, TOKEN_PARAMETER } from './access.ts'
import { type PageResponse, textResponse } from './respond.ts'

/** What the gate of a server has to know. */
export interface GateOptions {
  /** Names, other than this machine's, that the server answers to. */
  readonly hosts?: () => readonly string[]
  /**
   * Called once, when a client that is not on this machine was refused because it has no token,
   * with the address that lets it in.
   */
  readonly onTokenMissing?: (url: string) => void
  /** The path that the page is mounted at. Default: {@link PAGE_PATH}. */
  readonly mount?: string
}

/** Lets requests in, or not. */
export interface Gate {
  /** What follows the page's address for clients that are not on this machine. */
  readonly tokenQuery: string
  /** The answer to a request that goes no further; `undefined` if it is let in. */
  check(request: IncomingMessage, query: URLSearchParams): PageResponse | undefined
}

const MISSING_TOKEN =
  'This page needs a token for clients that are not on the machine of the dev server. ' +
  'Open the address with the token that the dev server prints in its terminal.'

/** What to print when a client without the token was refused. */
export function tokenHelp(url: string): string {
  return `A client that is not on this machine asked for the prompts page. To let it in, open ${url}`
}

/** Makes the gate of one server, with a token of its own. */
export function createGate({ hosts, onTokenMissing, mount = PAGE_PATH }: GateOptions): Gate {
  const pass = createAccessToken()
  const tokenQuery = `?${TOKEN_PARAMETER}=${pass.token}`
  let hasReported = false
  const reportMissingToken = (request: IncomingMessage): void => {
    if (!hasReported) onTokenMissing?.(`${originOf(request)}${mount}/${tokenQuery}`)
    hasReported = true
  }
  return {
    tokenQuery,
    check(request, query) {
      const { headers, socket } = request
      const given = { peer: socket.remoteAddress, headers, query: query.get(TOKEN_PARAMETER) }
      if (given.query !== null) forgetQuery(request)
      const access = accessOf(given, { pass, hosts: hosts?.() ?? [] })
      if (access.kind === 'granted') return undefined
      if (access.kind === 'rejected') return textResponse(403, access.why)
      if (access.kind === 'token-accepted') return redirectWithCookie(request, mount, pass)
      reportMissingToken(request)
      return textResponse(403, MISSING_TOKEN)
    },
  }
}

/** Dev servers log the addresses of requests when they are answered. */
function forgetQuery(request: IncomingMessage & { originalUrl?: string }): void {
  const withoutQuery = (url: string): string => url.replace(/\?.*$/s, '')
  request.url = withoutQuery(request.url ?? '/')
  if (request.originalUrl !== undefined) request.originalUrl = withoutQuery(request.originalUrl)
}

/** Keeps the token in a cookie and leads to the address without it, which histories then have. */
function redirectWithCookie(
  request: IncomingMessage,
  mount: string,
  { token, cookie }: AccessToken,
): PageResponse {
  const secure = isEncrypted(request) ? '; Secure' : ''
  return textResponse(302, 'The token is kept as a cookie.', {
    location: `${mount}/`,
    'set-cookie': `${cookie}=${token}; Path=${mount}; HttpOnly; SameSite=Strict${secure}`,
  })
}

/** The Host header is one that the server answers to by now. */
function originOf(request: IncomingMessage): string {
  return `${isEncrypted(request) ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`
}

function isEncrypted({ socket, headers }: IncomingMessage): boolean {
  return 'encrypted' in socket || headers['x-forwarded-proto'] === 'https'
}
