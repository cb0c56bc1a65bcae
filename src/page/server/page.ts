/**
 * The page of one project: its files, the answers of its store, and a stream of events for each window.
 * Every request passes the gate first. A dev server mounts it, or `prompts ui` serves it alone.
 */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { redact } from '../../config/api-key.ts'
import type { Project } from '../../features/project/project.ts'
import { fingerprintFiles, watchFiles } from '../../fs/watch.ts'
import { closeServer, HOST, listen } from '../../http/listen.ts'
import { type Answers, API, type Changed, EVENTS, OPEN, PAGE_PATH } from '../protocol.ts'
import { createGate, type Gate, type GateOptions } from './access.ts'
import { type LaunchEditor, launchEditor, openInEditor } from './editor.ts'
import { type PageResponse, send, textResponse, writeHead } from './respond.ts'
import { createStore, errorView, lockPaths, type Store, type StoreOptions } from './store.ts'

/** What a page needs. */
export interface PageSource extends GateOptions, StoreOptions {
  readonly project: Project
  /** Opens a file in the editor; absent if the dev server has an endpoint for it. */
  readonly launch?: LaunchEditor
}

/** The page, to be mounted in a server. */
export interface PromptsPage extends Pick<Gate, 'tokenQuery'> {
  /** Answers requests below the mount path, which connect has removed from `request.url`. */
  readonly middleware: (request: IncomingMessage, response: ServerResponse) => void
  /** Notifies open pages that the app's code has changed. */
  codeChanged(): void
  /** Ends the event streams. */
  close(): void
}

/**
 * The page that shows the pinned prompts of an app. It never writes, and reads nothing before a browser
 * opens it. It answers only requests of its own origin, from clients on this machine or with the token,
 * and no answer contains a key.
 */
export function promptsPage(source: PageSource): PromptsPage {
  const { project, launch, mount = PAGE_PATH } = source
  const gate = createGate(source)
  const store = createStore(project, source)
  const streams = createStreams(lockPaths(project))
  /** @returns `undefined` if the answer is an event stream */
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<PageResponse | undefined> => {
    // Not with `new URL`, which parses a path that starts with two slashes as a host and throws.
    const [pathname = '/', ...query] = (request.url ?? '/').split('?')
    const searchParams = new URLSearchParams(query.join('?'))
    const denial = gate.check(request, searchParams)
    if (denial !== undefined) return denial
    const allow = launch !== undefined && pathname === `/${OPEN}` ? 'POST' : 'GET'
    if (request.method !== allow) return textResponse(405, `Only ${allow} is allowed.`, { allow })
    if (launch !== undefined && allow === 'POST') {
      const folders = (await project.apps()).map(({ root }) => root)
      return openInEditor(request, searchParams.get('file') ?? '', { folders, launch })
    }
    if (pathname === '/' && isWithoutSlash(request))
      return textResponse(302, 'The path of the page ends with a slash.', { location: `${mount}/` })
    if (pathname === `/${EVENTS}`) return streams.add(response)
    const asset = await assetResponse(pathname)
    return asset ?? apiResponse(pathname, searchParams, store, project)
  }
  return {
    tokenQuery: gate.tokenQuery,
    middleware(request, response) {
      answer(request, response).then(
        (ready) => ready && send(response, ready),
        (error: unknown) => send(response, errorResponse(error)),
      )
    },
    codeChanged() {
      store.codeChanged()
      streams.notify('uses')
    },
    close: streams.close,
  }
}

/** Connect passes `/` also for the mount path without a slash, which breaks relative URLs. */
function isWithoutSlash(request: IncomingMessage): boolean {
  const { originalUrl = '/' } = request as IncomingMessage & { readonly originalUrl?: string }
  return !originalUrl.split('?', 1)[0]?.endsWith('/')
}

/** All data leaves the server through this function, which redacts the keys. */
async function apiResponse(
  path: string,
  query: URLSearchParams,
  { answers }: Store,
  { options: { apiKey, otherKey } }: Project,
): Promise<PageResponse> {
  const folder = `/${API}`
  const name = path.slice(folder.length)
  if (!path.startsWith(folder) || !Object.hasOwn(answers, name))
    return textResponse(404, 'Not found.')
  const value = await answers[name as keyof Answers](Object.fromEntries(query))
  const keys = [apiKey, otherKey].flatMap((key) => key?.value ?? [])
  const body = keys.reduce(redact, JSON.stringify(value))
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body }
}

/** The response to what no answer can express. */
function errorResponse(error: unknown): PageResponse {
  const { code, why, fix } = errorView(error)
  return textResponse(500, `[${code}] ${why}\n${fix}`)
}

const TYPES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
}

/**
 * The folder of the built page, next to the bundle that contains this file. When this file runs from
 * source, as in tests, a folder that builds of the package leave alone.
 */
export const ASSETS: string = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../node_modules/.vite/prompts-ui/' : './ui/',
    import.meta.url,
  ),
)

/** One of the page's files. They are a fixed list, so no request can name a path. */
async function assetResponse(path: string): Promise<PageResponse | undefined> {
  const name = path === '/' ? 'index.html' : path.slice(1)
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
  if (type === undefined) return undefined
  const body = await readFile(join(ASSETS, name)).catch(() => undefined)
  if (body !== undefined) return { status: 200, headers: { 'content-type': type }, body }
  return textResponse(
    500,
    `The page is not built: ${join(ASSETS, name)} is missing. Run npm run build.`,
  )
}

/** Milliseconds between comments that keep proxies from closing an idle connection. */
const HEARTBEAT = 25_000

/** The event streams of open windows. */
function createStreams(paths: readonly string[]) {
  const open = new Set<ServerResponse>()
  const write = (response: ServerResponse, text: string): void => {
    if (open.has(response)) response.write(text)
  }
  const report = (response: ServerResponse, what: Changed): void =>
    write(response, `event: ${what}\ndata:\n\n`)
  return {
    /** Answers with events until the page disconnects: of the lock, which is watched, and of `notify`. */
    add(response: ServerResponse): undefined {
      open.add(response)
      writeHead(response, 200, { 'content-type': 'text/event-stream; charset=utf-8' })
      write(response, ': welcome\n\n')
      const heartbeat = setInterval(() => write(response, ': still here\n\n'), HEARTBEAT).unref()
      const onChange = async (): Promise<void> => report(response, 'lock')
      const watching = fingerprintFiles(...paths).then((fingerprint) =>
        watchFiles({ paths, fingerprint, onChange }),
      )
      response.on('close', () => {
        open.delete(response)
        clearInterval(heartbeat)
        void watching.then((watcher) => watcher.close())
      })
    },
    notify: (what: Changed): void => open.forEach((response) => report(response, what)),
    /** Ends all streams. */
    close(): void {
      for (const response of open) {
        open.delete(response)
        response.end()
      }
    },
  }
}

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
