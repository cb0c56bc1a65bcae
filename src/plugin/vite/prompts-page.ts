import { networkInterfaces } from 'node:os'
import type { ViteDevServer } from 'vite'
import { pagePath } from '../../page/protocol.ts'
import { tokenHelp } from '../../page/server/access.ts'
import { promptsPage } from '../../page/server/page.ts'
import type { Host } from '../host.ts'
import { formatAddress } from '../page-address.ts'

/** Milliseconds in which several changed files count as one change. */
const DEBOUNCE = 150

/**
 * Adds the page to a dev server, below its base, unless the option `page` is `false`. Nothing is
 * read before a browser opens it.
 *
 * @param signal - stops it when aborted
 */
export async function addPromptsPage(
  server: ViteDevServer,
  { ids, session }: Pick<Host, 'ids' | 'session'>,
  signal: AbortSignal,
): Promise<void> {
  const project = await session().project()
  if (!project.options.page) return
  const { base } = server.config
  const above = base.startsWith('/') ? base.replace(/\/$/, '') : ''
  const path = pagePath(ids.workspace)
  const mount = above + path
  const page = promptsPage({
    project,
    mount,
    editor: `${above}/__open-in-editor?file=`,
    hosts: () => hostsOf(server),
    onTokenMissing: (url) => server.config.logger.info(`[${ids.plugin}] ${tokenHelp(url)}`),
  })
  server.middlewares.use(mount, page.middleware)
  server.watcher.on('all', debounce(page.codeChanged))
  signal.addEventListener('abort', page.close)
  announcePage(server, path, page.tokenQuery)
}

function debounce(action: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    clearTimeout(timer)
    timer = setTimeout(action, DEBOUNCE).unref()
  }
}

/** The host names of this dev server, other than this machine's. */
function hostsOf({ config, resolvedUrls }: ViteDevServer): string[] {
  const { allowedHosts } = config.server
  const urls = [...(resolvedUrls?.local ?? []), ...(resolvedUrls?.network ?? [])]
  const names = urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname)
  return [
    ...names.map((name) => name.replace(/^\[(.*)\]$/, '$1')),
    ...(resolvedUrls === null ? machineAddresses() : []),
    ...(Array.isArray(allowedHosts) ? allowedHosts : []),
  ]
}

/** Vite knows no addresses if a framework listens, such as Nuxt. */
function machineAddresses(): string[] {
  const interfaces = Object.values(networkInterfaces())
  return interfaces.flatMap((entries = []) => entries.map(({ address }) => address))
}

/**
 * Adds the page to the addresses that Vite prints, in Vite's style: the local address and, if the
 * server is exposed to the network, an address with the token.
 */
function announcePage(server: ViteDevServer, path: string, tokenQuery: string): void {
  const print = server.printUrls.bind(server)
  const printAddress = (name: string, url: string | undefined, query: string): void => {
    if (url === undefined) return
    server.config.logger.info(formatAddress(name, new URL(`.${path}/${query}`, url).href))
  }
  server.printUrls = () => {
    print()
    const { local, network } = server.resolvedUrls ?? { local: [], network: [] }
    printAddress('Prompts', local[0], '')
    printAddress('Prompts (network)', network[0], tokenQuery)
  }
}
