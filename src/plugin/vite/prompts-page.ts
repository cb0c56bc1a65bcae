import type { ViteDevServer } from 'vite'
import { pagePath } from '../../page/addresses.ts'
import { failure, isOnThisMachine, plain, redirect, send } from '../../page/server/http.ts'
import type { PageServer } from '../../page/server/page.ts'
import type { Host } from '../host.ts'
import { formatAddress } from '../page-address.ts'

/** Milliseconds in which several changed files count as one change. */
const DEBOUNCE = 150

/**
 * Adds the way to the page to a dev server, below its base, unless the option `page` is `false`. The page
 * has a server of its own, which the first visit starts: scripts of the app are of another origin.
 *
 * @param signal - stops it when aborted
 * @returns a function that returns the address to open; `undefined` without one, or before the server listens
 */
export async function addPromptsPage(
  server: ViteDevServer,
  { ids, session }: Pick<Host, 'ids' | 'session'>,
  signal: AbortSignal,
): Promise<() => string | undefined> {
  const project = await session().project()
  if (!project.options.page) return () => undefined
  const { base } = server.config
  const above = base.startsWith('/') ? base.replace(/\/$/, '') : ''
  const path = pagePath(ids.workspace)
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
  signal.addEventListener('abort', () => ifServed(({ close }) => close()))
  const address = (): string | undefined => {
    const [url] = server.resolvedUrls?.local ?? []
    return url && new URL(`.${path}/`, url).href
  }
  announcePage(server, address)
  return address
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
function announcePage(server: ViteDevServer, address: () => string | undefined): void {
  const print = server.printUrls.bind(server)
  server.printUrls = () => {
    print()
    const url = address()
    if (url !== undefined) server.config.logger.info(formatAddress('Prompts', url))
  }
}
