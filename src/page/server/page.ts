/**
 * The page of one project: its files, the answers of its store, and a stream of events for each window. It
 * has a server, and so an origin, of its own: a dev server only redirects to it.
 */
import { readFile, realpath, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { redact } from '../../config/api-key.ts'
import type { Project } from '../../features/project/project.ts'
import { relativeInside } from '../../fs/paths.ts'
import { fingerprintFiles, watchFiles } from '../../fs/watch.ts'
import { closeServer, HOST, listen } from '../../http/listen.ts'
import {
  type Answers,
  API,
  type Changed,
  EVENTS,
  OPEN,
  type PageQuery,
  WRITE,
} from '../protocol.ts'
import { actRefusal, hostRefusal } from './access.ts'
import { type PageResponse, send, textResponse, writeHead } from './respond.ts'
import { createStore, errorView, type Store, type StoreOptions } from './store.ts'

/** What a page needs. */
export interface PageSource extends StoreOptions {
  readonly project: Project
  /** Opens a `path:line:column` in the editor, and returns whether one was started; replaced in tests. */
  readonly launch?: (place: string) => Promise<boolean>
}

/** A page that is served. */
export interface PageServer {
  /** URL of the page, with a trailing slash. */
  readonly url: string
  /** Notifies open pages that the app's code has changed. */
  codeChanged(): void
  /** Closes every connection immediately. */
  close(): Promise<void>
}

/**
 * Serves the page that shows the pinned prompts of an app, on this machine only. It reads nothing before a
 * browser opens it. No answer contains a key.
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
  const { project } = source
  const store = createStore(project, source)
  const streams = createStreams(project.lock.path)
  const server = createServer((request, response) => {
    answer(request, response).then(
      (ready) => ready && send(response, ready),
      (error: unknown) => send(response, errorResponse(error)),
    )
  })
  /** @returns `undefined` if the answer is an event stream */
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<PageResponse | undefined> => {
    const [path = '/'] = (request.url ?? '/').split('?', 1)
    const isAct = path.startsWith(`/${API}`) && path !== `/${EVENTS}`
    const allow = isAct ? 'POST' : 'GET'
    const refusal = hostRefusal(request)
    if (refusal !== undefined) return textResponse(403, refusal)
    if (request.method !== allow) return textResponse(405, `Only ${allow} is allowed.`, { allow })
    if (path === `/${EVENTS}`) return streams.add(response)
    return isAct ? act(request, path.slice(API.length + 1)) : assetResponse(path)
  }
  const act = async (request: IncomingMessage, name: string): Promise<PageResponse> => {
    const { page } = project.options
    const refusal = actRefusal(request, { page, writes: name === WRITE })
    if (refusal !== undefined) return textResponse(403, refusal)
    const query = (await json(request)) as PageQuery
    if (name !== OPEN) return apiResponse(name, query, store, project)
    const folders = (await project.apps()).map(({ root }) => root)
    return openInEditor(query['file'] ?? '', folders, source.launch)
  }
  const bound = await listen(server, port, attempts)
  return {
    url: `http://${HOST}:${bound}/`,
    codeChanged() {
      store.codeChanged()
      streams.notify('uses')
    },
    close: () => closeServer(server),
  }
}

/** All data leaves the server through this function, which redacts the keys. */
async function apiResponse(
  name: string,
  query: PageQuery,
  { answers }: Store,
  { options: { secrets } }: Project,
): Promise<PageResponse> {
  if (!Object.hasOwn(answers, name)) return NOT_FOUND
  const value = await answers[name as keyof Answers](query)
  const body = redact(JSON.stringify(value), secrets)
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body }
}

const NOT_FOUND = textResponse(404, 'Not found.')

/** Opens a place, if it is in a file of the project. */
async function openInEditor(
  place: string,
  folders: readonly string[],
  launch = launchEditor,
): Promise<PageResponse> {
  const inside = await placeInside(folders, place)
  if (inside === undefined) return textResponse(404, 'The project has no such file.')
  if (await launch(inside)) return textResponse(200, 'The file was opened.')
  return textResponse(500, 'No editor was found. Set EDITOR to the command of one.')
}

/** The place with links resolved; `undefined` unless it is in a file in one of the folders. */
async function placeInside(folders: readonly string[], place: string): Promise<string | undefined> {
  const parts = /^(.*?)(?::(\d{1,9}))?(?::(\d{1,9}))?$/s.exec(place)
  const [, path = '', line = '1', column = '1'] = parts ?? []
  try {
    const file = await realpath(path)
    if (!(await stat(file)).isFile()) return undefined
    for (const folder of folders) {
      const inside = relativeInside(await realpath(folder), file)
      if (inside !== undefined) return `${join(folder, inside)}:${line}:${column}`
    }
  } catch {
    // There is no such file.
  }
  return undefined
}

/** Finds the editor that runs, as Vite does. */
async function launchEditor(place: string): Promise<boolean> {
  const { default: launch } = await import('launch-editor')
  let isStarted = true
  launch(place, () => (isStarted = false))
  return isStarted
}

/** The response to what no answer can express. */
export function errorResponse(error: unknown): PageResponse {
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
async function assetResponse(path: string): Promise<PageResponse> {
  const name = path === '/' ? 'index.html' : path.slice(1)
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
  if (type === undefined) return NOT_FOUND
  const body = await readFile(join(ASSETS, name)).catch(() => undefined)
  if (body !== undefined) return { status: 200, headers: { 'content-type': type }, body }
  return textResponse(
    500,
    `The page is not built: ${join(ASSETS, name)} is missing. Run npm run build.`,
  )
}

/** The event streams of open windows. */
function createStreams(lock: string) {
  const open = new Set<ServerResponse>()
  const report = (response: ServerResponse, what: Changed): void => {
    if (!response.destroyed) response.write(`event: ${what}\ndata:\n\n`)
  }
  return {
    /** Answers with events until the page disconnects: of the lock, which is watched, and of `notify`. */
    add(response: ServerResponse): undefined {
      open.add(response)
      writeHead(response, 200, { 'content-type': 'text/event-stream; charset=utf-8' })
      response.write(': welcome\n\n')
      const onChange = async (): Promise<void> => report(response, 'lock')
      const watching = fingerprintFiles(lock).then((fingerprint) =>
        watchFiles({ paths: [lock], fingerprint, onChange }),
      )
      response.on('close', () => {
        open.delete(response)
        void watching.then((watcher) => watcher.close())
      })
    },
    notify: (what: Changed): void => open.forEach((response) => report(response, what)),
  }
}
