import type { ServiceAddress } from '../config/base-url.ts'
import { PromptsError } from '../errors/prompts-error.ts'

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
 */
export function chooseProxy(
  { origin, isLoopback }: Pick<ServiceAddress, 'origin' | 'isLoopback'>,
  variables: Readonly<Record<string, string | undefined>>,
  workspace: string,
): URL | undefined {
  const read = (name: string): string => variables[name] ?? variables[name.toUpperCase()] ?? ''
  const text = (read('https_proxy') || read('http_proxy')).trim()
  const exceptions = read('no_proxy')
  if (text === '' || isLoopback || isExcepted(new URL(origin), exceptions)) return undefined
  const proxy = parseProxy(text)
  if (proxy !== undefined) return proxy
  const reason = 'the proxy variables contain no http: or https: address'
  throw new PromptsError('SERVICE_UNREACHABLE', { url: origin, reason, attempts: 0, workspace })
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

function parseProxy(text: string): URL | undefined {
  try {
    // A proxy without a scheme, such as `host:port`, is http, as in curl.
    const proxy = new URL(text.includes('://') ? text : `http://${text}`)
    // undici decodes credentials, and its error would contain them.
    decodeURIComponent(proxy.username + proxy.password)
    return /^https?:$/.test(proxy.protocol) ? proxy : undefined
  } catch {
    return undefined
  }
}
