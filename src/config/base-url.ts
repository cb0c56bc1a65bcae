import { findWrapping } from './api-key.ts'

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
 * Reads the address of the service. The key goes there with every request, so it must be https, or http to
 * this machine. A problem never quotes the address: it may hold a secret.
 *
 * @param allowHttp - whether http may go to other machines. Default: false
 */
export function parseBaseUrl(
  text: string,
  allowHttp = false,
): ServiceAddress | { readonly problem: string } {
  const wrapping = findWrapping(text)
  if (wrapping !== undefined) return { problem: `it has ${wrapping} around it` }
  if (!URL.canParse(text) || /\s/.test(text)) return { problem: 'it is not a URL' }
  const { protocol, username, password, hostname, host, origin, pathname } = new URL(text)
  const isLoopback = LOOPBACK.test(hostname)
  if (protocol !== 'https:' && protocol !== 'http:')
    return { problem: `it begins with ${protocol}, not with https:` }
  if (username !== '' || password !== '') return { problem: 'it contains a user name or password' }
  // `search` and `hash` are empty for a bare `?` or `#`, which would still cut off the path.
  if (/[?#]/.test(text)) return { problem: 'it contains a query or a fragment' }
  if (protocol === 'http:' && !isLoopback && !allowHttp)
    return { problem: `http: to ${host} would send the key unencrypted` }
  return { origin, host, prefix: pathname.replace(/\/+$/, ''), isLoopback }
}

/** The scheme and host of an address, without what may be a password; `undefined` if it is none. */
export function originOf(address = ''): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined
}
