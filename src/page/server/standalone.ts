import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closeServer, HOST, listen } from '../../http/listen.ts'
import { PAGE_PATH } from '../protocol.ts'
import { launchEditor } from './editor.ts'
import { rejectionReason } from './guard.ts'
import { type PageSource, promptsPage } from './page.ts'
import { send, textResponse } from './respond.ts'

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
  const server = createServer((request, response) => route(request, response, page.middleware))
  const bound = await listen(server, port, attempts)
  return {
    url: `http://${HOST}:${bound}${PAGE_PATH}/`,
    async close() {
      await page.close()
      await closeServer(server)
    },
  }
}

/** Removes the mount path from the URL, as connect does, and redirects all other paths to the page. */
function route(
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
  page: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const { url = '/' } = request
  const rest = url.slice(PAGE_PATH.length)
  if (url.startsWith(PAGE_PATH) && /^(?:[/?]|$)/.test(rest)) {
    request.originalUrl = url
    request.url = rest.startsWith('/') ? rest : `/${rest}`
    page(request, response)
    return
  }
  const refusal = rejectionReason(request.headers, [])
  if (refusal !== undefined) send(response, textResponse(403, refusal))
  else send(response, textResponse(302, 'The page is elsewhere.', { location: `${PAGE_PATH}/` }))
}
