import { createServer, type IncomingMessage } from 'node:http'
import { closeServer, HOST, listen } from '../../http/listen.ts'
import { PAGE_PATH } from '../protocol.ts'
import { launchEditor } from './editor.ts'
import { type PageSource, promptsPage } from './page.ts'

/** The page without a dev server. */
export interface PageServer {
  /** URL of the page, with a trailing slash. */
  readonly url: string
  /** Closes every connection immediately. */
  close(): Promise<void>
}

/**
 * Serves the page on this machine only, at the same path as a dev server does.
 *
 * @param port - 0 selects a free port
 * @param attempts - how many ports from there on are tried
 * @throws PromptsError PORT_UNAVAILABLE
 */
export async function servePage(
  source: PageSource,
  port: number,
  attempts?: number,
): Promise<PageServer> {
  const page = promptsPage({ launch: launchEditor, ...source })
  const server = createServer((request, response) => page.middleware(mounted(request), response))
  const bound = await listen(server, port, attempts)
  return {
    url: `http://${HOST}:${bound}${PAGE_PATH}/`,
    async close() {
      page.close()
      await closeServer(server)
    },
  }
}

/** Removes the mount path from the URL, as connect does. All other paths lead to the page. */
function mounted(request: IncomingMessage & { originalUrl?: string }): IncomingMessage {
  const { url = '/' } = request
  const isBelow = url.startsWith(PAGE_PATH) && /^(?:[/?]|$)/.test(url.slice(PAGE_PATH.length))
  request.originalUrl = isBelow ? url : PAGE_PATH
  const rest = request.originalUrl.slice(PAGE_PATH.length)
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  return request
}
