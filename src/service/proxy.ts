import type { BaseUrl } from '../config/base-url.ts'

/** How the service is reached. */
export type ProxyChoice =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'proxy'
      /** With credentials, if there are any. */
      readonly url: string
      /** Without credentials, for messages. */
      readonly name: string
    }
  | { readonly kind: 'unusable'; readonly problem: string }

type Variables = Readonly<Record<string, string | undefined>>
type Service = Pick<Extract<BaseUrl, { kind: 'usable' }>, 'origin' | 'isLoopback'>

/**
 * Returns the proxy that the environment variables select for the service. The rules are those of
 * undici's EnvHttpProxyAgent: lower case first, `https_proxy` before `http_proxy`, `no_proxy` by name,
 * suffix and port. Implemented here, because errors show the proxy, which that agent does not tell.
 *
 * Unlike undici, and like Go, this machine is never accessed through a proxy: http is allowed to this
 * machine because the key does not leave it.
 */
export function chooseProxy(service: Service, variables: Variables): ProxyChoice {
  const text = proxyVariable(variables)
  const exceptions = variables['no_proxy'] ?? variables['NO_PROXY'] ?? ''
  if (text === '' || service.isLoopback || isExcepted(new URL(service.origin), exceptions)) {
    return { kind: 'direct' }
  }
  return parseProxy(text)
}

function proxyVariable(variables: Variables): string {
  const secure = variables['https_proxy'] ?? variables['HTTPS_PROXY'] ?? ''
  return (
    secure === '' ? (variables['http_proxy'] ?? variables['HTTP_PROXY'] ?? '') : secure
  ).trim()
}

function isExcepted(url: URL, exceptions: string): boolean {
  const port = url.port === '' ? '443' : url.port
  return exceptions
    .toLowerCase()
    .split(/[,\s]/)
    .filter((entry) => entry !== '')
    .some((entry) => entry === '*' || matches({ hostname: url.hostname, port }, entry))
}

function matches(service: { hostname: string; port: string }, entry: string): boolean {
  const [, name = entry, port] = /^(.+):(\d+)$/.exec(entry) ?? []
  const domain = name.replace(/^\*?\./, '')
  if (port !== undefined && port !== service.port) return false
  return service.hostname === domain || service.hostname.endsWith(`.${domain}`)
}

/** A proxy without a scheme, such as `host:port`, is http, as in curl. */
function parseProxy(text: string): ProxyChoice {
  const full = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(full) ? new URL(full) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || !hasReadableCredentials(url)) {
    return { kind: 'unusable', problem: 'the proxy variables contain no http: or https: address' }
  }
  return { kind: 'proxy', url: url.href, name: url.origin }
}

/** undici decodes credentials, and its error would contain them. */
function hasReadableCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}
