import type { ServiceAddress } from '../config/base-url.ts'
import { PromptsError } from '../errors/prompts-error.ts'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Returns the proxy that the environment variables select for the service. The rules are those of
 * undici's EnvHttpProxyAgent: lower case first, `https_proxy` before `http_proxy`, `no_proxy` by name,
 * suffix and port. Implemented here, because errors show the proxy, which that agent does not tell.
 *
 * Unlike undici, and like Go, this machine is never accessed through a proxy: http is allowed to this
 * machine because the key does not leave it.
 *
 * @param workspace - its name, for the error
 * @returns with credentials, if there are any; `undefined` for none
 * @throws PromptsError SERVICE_UNREACHABLE for variables without an address
 */
export function chooseProxy(
  { origin, isLoopback }: Pick<ServiceAddress, 'origin' | 'isLoopback'>,
  variables: Variables,
  workspace: string,
): URL | undefined {
  const text = proxyVariable(variables)
  const exceptions = variables['no_proxy'] ?? variables['NO_PROXY'] ?? ''
  if (text === '' || isLoopback || isExcepted(new URL(origin), exceptions)) return undefined
  // A proxy without a scheme, such as `host:port`, is http, as in curl.
  const address = text.includes('://') ? text : `http://${text}`
  const proxy = URL.canParse(address) ? new URL(address) : undefined
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol) && hasReadableCredentials(proxy))
    return proxy
  const reason = 'the proxy variables contain no http: or https: address'
  throw new PromptsError('SERVICE_UNREACHABLE', { url: origin, reason, attempts: 0, workspace })
}

function proxyVariable(variables: Variables): string {
  const secure = variables['https_proxy'] ?? variables['HTTPS_PROXY'] ?? ''
  return (
    secure === '' ? (variables['http_proxy'] ?? variables['HTTP_PROXY'] ?? '') : secure
  ).trim()
}

function isExcepted({ hostname, port: servicePort }: URL, exceptions: string): boolean {
  const names = exceptions.toLowerCase().split(/[,\s]/)
  return names.some((entry) => {
    const [, name = entry, port] = /^(.+):(\d+)$/.exec(entry) ?? []
    const domain = name.replace(/^\*?\./, '')
    if (entry === '' || (port !== undefined && port !== (servicePort || '443'))) return false
    return entry === '*' || hostname === domain || hostname.endsWith(`.${domain}`)
  })
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
