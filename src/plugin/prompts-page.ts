import { styleText } from 'node:util'
import type { ViteDevServer } from 'vite'
import { pagePath } from '../ui/protocol.ts'
import { openOtherProject } from '../ui/server/other-project.ts'
import { promptsPage } from '../ui/server/page.ts'
import { findUses } from './find-uses.ts'
import type { Host } from './host.ts'
import { ownEnvDir } from './own-env-dir.ts'

/** Milliseconds in which several changed files count as one change. */
const QUIET = 150

/**
 * Adds the page to a dev server, below its base. Nothing is read before somebody opens it.
 *
 * @param signal - ends it
 */
export function addPromptsPage(
  server: ViteDevServer,
  { ids, session }: Pick<Host, 'ids' | 'session'>,
  signal: AbortSignal,
): void {
  const { base, mode } = server.config
  const above = base.startsWith('/') ? base.replace(/\/$/, '') : ''
  const path = pagePath(ids.workspace)
  const mount = above + path
  const page = promptsPage({
    mount,
    editor: `${above}/__open-in-editor?file=`,
    hosts: () => hostsOf(server),
    uses: () => findUses(server, { ids, session }),
    async open() {
      const project = await session.project()
      const envDir = ownEnvDir(server.config) ?? project.options.root
      return { project, other: await openOtherProject(project, { envDir, mode }) }
    },
  })
  server.middlewares.use(mount, page.middleware)
  const settled = debounce(() => page.changed('uses'))
  server.watcher.on('all', settled)
  signal.addEventListener('abort', () => void page.close())
  announcePage(server, path)
}

function debounce(action: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    clearTimeout(timer)
    timer = setTimeout(action, QUIET).unref()
  }
}

/** The names that this dev server says it has, beside this machine's own. */
function hostsOf({ config, resolvedUrls }: ViteDevServer): string[] {
  const { allowedHosts } = config.server
  const urls = [...(resolvedUrls?.local ?? []), ...(resolvedUrls?.network ?? [])]
  const names = urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname)
  return [
    ...names.map((name) => name.replace(/^\[(.*)\]$/, '$1')),
    ...(Array.isArray(allowedHosts) ? allowedHosts : []),
  ]
}

/** Adds the page to the addresses that Vite prints, in Vite's own form. */
function announcePage(server: ViteDevServer, path: string): void {
  const print = server.printUrls.bind(server)
  server.printUrls = () => {
    print()
    const [url] = server.resolvedUrls?.local ?? []
    if (url === undefined) return
    const [arrow, name, address] = ['➜', 'Prompts', new URL(`.${path}/`, url).href]
    server.config.logger.info(
      `  ${paint('green', arrow)}  ${paint('bold', name)}: ${paint('cyan', address)}`,
    )
  }
}

function paint(format: Parameters<typeof styleText>[0], text: string): string {
  const { isTTY } = process.stdout
  return isTTY && process.env['NO_COLOR'] === undefined ? styleText(format, text) : text
}
