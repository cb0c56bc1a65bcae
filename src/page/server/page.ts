import type { IncomingMessage, ServerResponse } from 'node:http'
import { redact } from '../../config/api-key.ts'
import { fingerprintFiles, type FileWatcher, watchFiles } from '../../fs/watch.ts'
import { type Answers, API, type Changed, EVENTS, OPEN, PAGE_PATH, CHANGED } from '../protocol.ts'
import type { Project } from '../../features/project/project.ts'
import { createCache } from './cache.ts'
import { type LaunchEditor, openInEditor } from './editor.ts'
import { errorView } from './error-view.ts'
import { createGate, type Gate, type GateOptions } from './gate.ts'
import { type PageResponse, send, textResponse, writeHead } from './respond.ts'
import { createStore, type Store, type StoreOptions } from './store.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The sources of the page. Nothing is read before a browser opens it. */
export interface PageSource extends GateOptions, StoreOptions {
  readonly open: () => Promise<Project>
  /** Opens a file in the editor; absent if the dev server has an endpoint for it. */
  readonly launch?: LaunchEditor
}

/** The page, to be mounted in a server. */
export interface PromptsPage extends Pick<Gate, 'tokenQuery'> {
  /** Answers requests below the mount path, which connect has removed from `request.url`. */
  readonly middleware: (request: IncomingMessage, response: ServerResponse) => void
  /** Notifies open pages of a change. */
  changed(what: Changed): void
  /** Closes event streams and watchers. */
  close(): Promise<void>
}

/**
 * The page that shows the pinned prompts of an app. It never writes. It answers only requests of its
 * own origin, from clients on this machine or with the token, and no answer contains a key.
 */
export function promptsPage(source: PageSource): PromptsPage {
  const views = createCache<Store>()
  const createView = async (): Promise<Store> => createStore(source, await source.open())
  const open = (): Promise<Store> => views.get('', { stamp: '' }, createView)
  const watch = lockWatch(open, () => listeners.notify('lock'))
  const listeners = createListeners((present) => void watch(present))
  const gate = createGate(source)
  const middleware: PromptsPage['middleware'] = (request, response) => {
    answer(request, response, { source, gate, open, listeners }).then(
      (ready) => ready && send(response, ready),
      (error: unknown) => send(response, errorResponse(error)),
    )
  }
  return {
    tokenQuery: gate.tokenQuery,
    middleware,
    changed(what) {
      if (what === 'uses') useView(views.last(''), ({ codeChanged }) => codeChanged())
      listeners.notify(what)
    },
    async close() {
      listeners.close()
      await watch(false)
    },
  }
}

/** Uses a view, unless the project can't be opened: then each answer has the error. */
function useView(view: Promise<Store> | undefined, use: (view: Store) => void): void {
  view?.then(use, () => undefined)
}

/** The response if the project can't be opened, for example because options are invalid. */
function errorResponse(error: unknown): PageResponse {
  const { code, why, fix } = errorView(error)
  return textResponse(500, `[${code}] ${why}\n${fix}`)
}

/** Watches the lock while a page is open, unless the project can't be opened. */
function lockWatch(
  open: () => Promise<Store>,
  onChange: () => void,
): (present: boolean) => Promise<void> {
  let watch: Promise<FileWatcher | undefined> | undefined
  const start = async (): Promise<FileWatcher> => {
    const { paths } = await open()
    return watchFiles({
      paths,
      fingerprint: await fingerprintFiles(...paths),
      onChange: async () => onChange(),
    })
  }
  return async (present) => {
    const ending = watch
    watch = present ? start().catch(() => undefined) : undefined
    await (await ending)?.close()
  }
}

/** What answers need, of one page. */
interface PageContext {
  readonly source: PageSource
  readonly gate: Gate
  readonly open: () => Promise<Store>
  readonly listeners: Listeners
}

/** @returns `undefined` if the answer is an event stream */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { source, gate, open, listeners }: PageContext,
): Promise<PageResponse | undefined> {
  const { pathname, searchParams } = addressOf(request)
  const denial = gate.check(request, searchParams)
  if (denial !== undefined) return denial
  const { launch } = source
  const allow = launch !== undefined && pathname === `/${OPEN}` ? 'POST' : 'GET'
  if (request.method !== allow) return textResponse(405, `Only ${allow} is allowed.`, { allow })
  if (launch !== undefined && allow === 'POST') {
    const folders = await (await open()).folders()
    return openInEditor(request, searchParams.get('file') ?? '', { folders, launch })
  }
  if (pathname === '/' && isWithoutSlash(request)) return redirectToFolder(source)
  if (pathname === `/${EVENTS}`) return void listeners.add(response)
  const asset = await assetResponse(pathname)
  // While the browser starts the script.
  if (pathname === `/${SCRIPT}`)
    response.once('finish', () => useView(open(), ({ answers }) => answers.list({})))
  return asset ?? apiResponse(pathname, searchParams, open)
}

/** Not with `new URL`, which parses a path that starts with two slashes as a host and throws. */
function addressOf({ url = '/' }: IncomingMessage): {
  readonly pathname: string
  readonly searchParams: URLSearchParams
} {
  const [pathname = '/', ...query] = url.split('?')
  return { pathname, searchParams: new URLSearchParams(query.join('?')) }
}

/** Connect passes `/` also for the mount path without a slash, which breaks relative URLs. */
function isWithoutSlash(request: IncomingMessage): boolean {
  const { originalUrl = '/' } = request as IncomingMessage & { readonly originalUrl?: string }
  return !originalUrl.split('?', 1)[0]?.endsWith('/')
}

function redirectToFolder({ mount = PAGE_PATH }: PageSource): PageResponse {
  return textResponse(302, 'The path of the page ends with a slash.', { location: `${mount}/` })
}

/** All data leaves the server through this function, which redacts the keys. */
async function apiResponse(
  path: string,
  query: URLSearchParams,
  open: PageContext['open'],
): Promise<PageResponse> {
  const notFound = textResponse(404, 'Not found.')
  const folder = `/${API}`
  if (!path.startsWith(folder)) return notFound
  const { answers, keys } = await open()
  const name = path.slice(folder.length)
  if (!Object.hasOwn(answers, name)) return notFound
  const value = await answers[name as keyof Answers](Object.fromEntries(query))
  const body = keys.reduce(redact, JSON.stringify(value))
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body }
}

/** The script of the page. */
const SCRIPT = 'app.js'

const TYPES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  [SCRIPT]: 'text/javascript; charset=utf-8',
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

/** The open pages that listen for changes. */
interface Listeners {
  /** Answers with a stream of events until the page disconnects. */
  add(response: ServerResponse): void
  notify(what: Changed): void
  /** Ends all streams. */
  close(): void
}

/**
 * Tracks the open event streams.
 *
 * @param onPresence - called with `true` when the first page connects, and with `false` when the
 *   last one has disconnected
 */
function createListeners(onPresence: (present: boolean) => void): Listeners {
  const open = new Set<ServerResponse>()
  let heartbeat: NodeJS.Timeout | undefined
  const write = (text: string): void => {
    for (const response of open) response.write(text)
  }
  const leave = (response: ServerResponse): void => {
    if (!open.delete(response) || open.size > 0) return
    clearInterval(heartbeat)
    onPresence(false)
  }
  return {
    add(response) {
      writeHead(response, 200, { 'content-type': 'text/event-stream; charset=utf-8' })
      response.write(': welcome\n\n')
      response.on('close', () => leave(response))
      open.add(response)
      if (open.size > 1) return
      heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT).unref()
      onPresence(true)
    },
    notify: (what) => write(`event: ${CHANGED}\ndata: ${what}\n\n`),
    close() {
      for (const response of open) {
        response.end()
        leave(response)
      }
    },
  }
}
