import type { IncomingMessage } from 'node:http'
import { PAGE_PATH } from '../protocol.ts'
import { accessOf, createAccessToken, type AccessToken, TOKEN_PARAMETER } from './access.ts'
import { type PageResponse, textResponse } from './respond.ts'

/** Options of {@link createGate}. */
export interface GateOptions {
  /** Host names, besides those of this machine, that the server answers to. */
  readonly hosts?: () => readonly string[]
  /**
   * Called once, when a client on another machine was rejected because it has no token, with the
   * URL that gives access.
   */
  readonly onTokenMissing?: (url: string) => void
  /** The mount path of the page. Default: {@link PAGE_PATH}. */
  readonly mount?: string
}

/** Allows or rejects requests. */
export interface Gate {
  /** The query with the token, for clients on other machines. */
  readonly tokenQuery: string
  /** The response to a rejected or redirected request; `undefined` if it is allowed. */
  check(request: IncomingMessage, query: URLSearchParams): PageResponse | undefined
}

const MISSING_TOKEN =
  'Clients on other machines need a token for this page. ' +
  'Open the URL with the token that the dev server prints in its terminal.'

/** The message to print when a client without the token was rejected. */
export function tokenHelp(url: string): string {
  return `A client on another machine requested the prompts page. To give it access, open ${url}`
}

/** Creates the gate of one server, with a new token. */
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

/** Removes the token from the URL, because dev servers log the URLs of requests. */
function forgetQuery(request: IncomingMessage & { originalUrl?: string }): void {
  const withoutQuery = (url: string): string => url.replace(/\?.*$/s, '')
  request.url = withoutQuery(request.url ?? '/')
  if (request.originalUrl !== undefined) request.originalUrl = withoutQuery(request.originalUrl)
}

/** Stores the token in a cookie and redirects to the URL without it, to keep it out of the history. */
function redirectWithCookie(
  request: IncomingMessage,
  mount: string,
  { token, cookie }: AccessToken,
): PageResponse {
  const secure = isEncrypted(request) ? '; Secure' : ''
  return textResponse(302, 'The token was stored as a cookie.', {
    location: `${mount}/`,
    'set-cookie': `${cookie}=${token}; Path=${mount}; HttpOnly; SameSite=Strict${secure}`,
  })
}

/** The Host header can be trusted: it was checked before. */
function originOf(request: IncomingMessage): string {
  return `${isEncrypted(request) ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`
}

function isEncrypted({ socket, headers }: IncomingMessage): boolean {
  return 'encrypted' in socket || headers['x-forwarded-proto'] === 'https'
}
