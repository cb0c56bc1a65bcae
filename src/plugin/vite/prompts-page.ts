import type { ViteDevServer } from 'vite'
import { pagePath } from '../../page/addresses.ts'
import { failure, isOnThisMachine, plain, redirect, send } from '../../page/server/http.ts'
import type { PageServer } from '../../page/server/page.ts'
import type { Host } from '../host.ts'
import type { WorkspaceIds } from '../ids.ts'
import { formatAddress } from '../page-address.ts'

/** Milliseconds in which several changed files count as one change. */
const DEBOUNCE = 150

/**
 * Adds the way to the page to a dev server, below its base, unless the option `page` is `false`. The page
 * has a server of its own, which the first visit starts: scripts of the app are of another origin.
 */
export async function addPromptsPage(
  server: ViteDevServer,
  { session, context, closed }: Pick<Host, 'session' | 'context' | 'closed'>,
): Promise<void> {
  const project = await session.project(context.notify)
  if (!project.options.page) return
  const { base } = server.config
  const above = base.startsWith('/') ? base.replace(/\/$/, '') : ''
  const path = pagePath(context.ids.workspace)
  let page: Promise<PageServer> | undefined
  const start = async (): Promise<PageServer> => {
    const { servePage } = await import('../../page/server/page.ts')
    return servePage({ project }, 0)
  }
  server.middlewares.use(above + path, (request, response) => {
    if (!isOnThisMachine(request)) return send(response, plain(403, ELSEWHERE))
    page ??= start()
    page.then(
      ({ url }) => send(response, redirect(302, url)),
      (error: unknown) => {
        // The next visit tries again.
        page = undefined
        send(response, failure(error))
      },
    )
  })
  const ifServed = (action: (served: PageServer) => unknown): void =>
    void page?.then(action, () => undefined)
  server.watcher.on(
    'all',
    debounce(() => ifServed(({ codeChanged }) => codeChanged())),
  )
  session.listen(() => ifServed(({ lockChanged }) => lockChanged()), closed)
  closed.addEventListener('abort', () => ifServed(({ close }) => close()))
  announcePage(server, context.ids)
}

/** The address to open; `undefined` before the server listens. */
export function pageUrl(
  { resolvedUrls }: ViteDevServer,
  { workspace }: WorkspaceIds,
): string | undefined {
  const [url] = resolvedUrls?.local ?? []
  return url && new URL(`.${pagePath(workspace)}/`, url).href
}

const ELSEWHERE =
  'The prompts page is for browsers on the machine of the dev server: open it there.'

function debounce(action: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    clearTimeout(timer)
    timer = setTimeout(action, DEBOUNCE).unref()
  }
}

/** Adds the page to the addresses that Vite prints, in Vite's style. */
function announcePage(server: ViteDevServer, ids: WorkspaceIds): void {
  const print = server.printUrls.bind(server)
  server.printUrls = () => {
    print()
    const url = pageUrl(server, ids)
    if (url !== undefined) server.config.logger.info(formatAddress('Prompts', url))
  }
}
