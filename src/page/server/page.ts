import type { IncomingMessage, ServerResponse } from 'node:http'
import { redact } from '../../config/api-key.ts'
import { fingerprintFiles, type FileWatcher, watchFiles } from '../../fs/watch.ts'
import { type Answers, API, type Changed, EVENTS, OPEN, PAGE_PATH } from '../protocol.ts'
import { assetResponse, SCRIPT } from './assets.ts'
import type { Sources } from './changes.ts'
import { createCache } from './cache.ts'
import { type LaunchEditor, openInEditor } from './editor.ts'
import { createListeners, type Listeners } from './events.ts'
import { errorView } from './error-view.ts'
import { createGate, type Gate, type GateOptions } from './gate.ts'
import { type PageResponse, send, textResponse } from './respond.ts'
import { createStore, type Store, type StoreOptions } from './store.ts'

/** The sources of the page. Nothing is read before a browser opens it. */
export interface PageSource extends GateOptions, StoreOptions {
  /** The project and, if there is a second key, the project with that key. */
  readonly open: () => Promise<Sources>
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
  const open = (): Promise<Store> => views.get('', { stamp: '' }, createView).value
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
      if (what === 'uses') useView(views.last('')?.value, ({ codeChanged }) => codeChanged())
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
    const { path } = (await open()).lock
    return watchFiles({
      paths: [path],
      fingerprint: await fingerprintFiles(path),
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
