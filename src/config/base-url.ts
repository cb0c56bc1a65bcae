/** A parsed address of the service. */
export interface ServiceAddress {
  /** Scheme, host and port, such as `https://prompts.example`. */
  readonly origin: string
  /** Host and port, for messages. */
  readonly host: string
  /** The path before `/api/v1`, without a trailing slash; often empty. */
  readonly prefix: string
  /** Whether it is this machine. */
  readonly isLoopback: boolean
}

/** The normalized forms of `localhost`, 127.0.0.0/8 and `::1`. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * Reads the address of the service. The key goes there with every request, so it must
 * be https, or http to this machine. A problem never quotes the address: it may hold a secret.
 */
export function parseBaseUrl(text: string): ServiceAddress | { readonly problem: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || /\s/.test(text)) return { problem: 'it is not a URL' }
  const isLoopback = LOOPBACK.test(url.hostname)
  const problem = findProblem(url, { text, isLoopback })
  if (problem !== undefined) return { problem }
  const prefix = url.pathname.replace(/\/+$/, '')
  return { origin: url.origin, host: url.host, prefix, isLoopback }
}

/** The scheme and host of an address, without what may be a password; `undefined` if it is none. */
export function originOf(address = ''): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined
}

function findProblem(url: URL, { text, isLoopback }: { text: string; isLoopback: boolean }) {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return `it begins with ${url.protocol}, not with https:`
  }
  if (url.username !== '' || url.password !== '') return 'it contains a user name or password'
  // `search` and `hash` are empty for a bare `?` or `#`, which would still cut off the path.
  if (/[?#]/.test(text)) return 'it contains a query or a fragment'
  if (url.protocol === 'http:' && !isLoopback) {
    return `http: to ${url.host} would send the key unencrypted`
  }
  return undefined
}
