/**
 * The page of one project: documents that are drawn from what the store knows, forms that act, and a stream of
 * events for each window. It has a server, and so an origin, of its own: a dev server only redirects to it.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { changeTexts, redact } from '../../core/secrets.ts'
import { changeRows } from '../../core/change-row.ts'
import { compareLocks } from '../../core/compare.ts'
import { indexParts, type Lock, partKey, viewOf } from '../../core/prompt.ts'
import { loaded } from '../../errors/prompts-error.ts'
import { runInThread } from '../../plan/thread/in-thread.ts'
import type { Project } from '../../features/project/project.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import { closeServer, HOST, listen } from '../../http/listen.ts'
import { encodeSlug, placeOf, promptPath } from '../addresses.ts'
import {
  type Known,
  type ListedPrompt,
  type Shown,
  type Typed,
  type Versions,
  type View,
  WRITES,
} from '../shown.ts'
import { type Acted, act } from './decide.ts'
import { launchEditor, openInEditor } from './editor.ts'
import { type Form, isAsDrawn, readForm } from './form.ts'
import {
  type Answer,
  errorView,
  failure,
  html,
  plain,
  readBody,
  redirect,
  refusalOf,
  send,
} from './http.ts'
import { type Source, Store } from './store.ts'

/** What a page needs. */
export interface PageSource extends Partial<Source> {
  readonly project: Project
}

/** A page that is served. */
export interface PageServer {
  /** URL of the page, with a trailing slash. */
  readonly url: string
  /** Tells open windows that the lock may have changed. The page itself watches no file. */
  lockChanged(): void
  /** Tells them that the app's code has changed. */
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
  const page = new Page(source)
  // A slug of 1,000 characters has up to 9 kB in an address, which browsers also send as the referrer.
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    const answer = page.answer(request, response).catch(failure)
    void answer.then((ready) => ready && send(response, ready))
  })
  const bound = await listen(server, port, attempts)
  return {
    url: `http://${HOST}:${bound}/`,
    lockChanged: () => page.store.lockChanged(),
    codeChanged: () => page.store.codeChanged(),
    close: () => closeServer(server),
  }
}

/** The versions of a prompt that its page lists. */
const VERSIONS = 50

/** What came of acts and what forms were drawn for, which a reload or a step back can still show. */
const KEPT = 20

const NOT_FOUND = plain(404, 'Not found.')

/** What came of an act, and the name of what came of the last one of the same window that wrote. */
interface Result extends Acted {
  readonly write: string | undefined
}

class Page {
  readonly store: Store
  /** By the name that is in their address, so that only the window that acted shows one. */
  readonly #results = new Map<string, Result>()
  /** What forms were drawn for, by lock. */
  readonly #drawn = new Map<string, Shown['prompts']>()

  constructor(source: PageSource) {
    const real = { run: runInThread, now: Date.now, launch: launchEditor }
    this.store = new Store({ ...real, ...source })
  }

  /** @returns `undefined` if the answer is an event stream */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<Answer | undefined> {
    const { method = '', url: address = '/' } = request
    const url = parseUrl(address)
    const isEvents = url?.pathname === '/events'
    const purpose = method === 'POST' ? 'act' : isEvents ? 'events' : 'document'
    const refusal = refusalOf(request, purpose)
    if (refusal !== undefined) return plain(403, refusal)
    if (!['GET', 'POST'].includes(method))
      return plain(405, 'Only GET and POST are allowed.', { allow: 'GET, POST' })
    if (url === undefined) return NOT_FOUND
    if (purpose === 'act') {
      const body = await readBody(request)
      if (body === undefined) return plain(413, 'A form of this page is at most 64 MB.')
      return this.#act(url, new URLSearchParams(body))
    }
    if (purpose === 'events') return this.store.listen(response)
    const from = parseUrl(request.headers.referer ?? '')
    return FILES.get(url.pathname) ?? this.#document(url, { from })
  }

  async #act(url: URL, fields: URLSearchParams): Promise<Answer> {
    const { project, launch } = this.store.source
    const place = fields.get('open')
    if (place !== null) {
      const why = await openInEditor(place, project, launch)
      if (why === undefined) return { status: 204, headers: {}, body: '' }
      return this.#next(url, { texts: [`\`${place}\` was not opened. ${why}`] })
    }
    const form = readForm(fields, url.searchParams)
    if (form === undefined) return plain(400, 'This is no form of the page.')
    if (WRITES.some((name) => name === form.act) && project.options.page !== true)
      return plain(403, 'This page only reads, as the option `page` says.')
    const last = this.#resultAt(url)
    const plan = form.act === 'undo' ? this.#writeOf(last)?.undo : last?.fix
    const result = await act(this.store, form, plan).catch((error: unknown): Acted => ({
      texts: [],
      error: errorView(error),
    }))
    // What was typed stays in the form until it is pinned.
    const isEdit = form.act === 'edit' || (form.act === 'anyway' && form.commit === '')
    const isPinned = isEdit && result?.undo !== undefined
    if (form.act === 'preview' || form.act === 'rebase' || (isEdit && !isPinned)) {
      // The lock may have other parts now than those that the address was about.
      url.searchParams.set('part', form.part.environment)
      const typed = result?.error ? form.typed : this.#rebased(form)
      return this.#document(url, { result, typed })
    }
    return this.#next(isPinned ? new URL(promptPath(form.part.slug), url) : url, result, url)
  }

  /** After an act: the address that shows what came of it. */
  #next(url: URL, result: Acted | undefined, from = url): Answer {
    const last = this.#resultAt(from)?.write
    if (result === undefined) return redirect(303, withOutcome(url, last))
    const name = randomUUID().slice(0, 8)
    keep(this.#results, name, { ...result, write: result.undo ? name : last })
    return redirect(303, withOutcome(url, name))
  }

  #resultAt(url: URL | undefined): Result | undefined {
    return this.#results.get(url?.searchParams.get('outcome') ?? '')
  }

  #writeOf(result: Result | undefined): Result | undefined {
    return this.#results.get(result?.write ?? '')
  }

  /**
   * @param from - the document with the link
   * @param result - in the answer to a form, with what was typed
   */
  async #document(
    url: URL,
    { from, result, typed }: { from?: URL | undefined; result?: Acted | undefined; typed?: Typed },
  ): Promise<Answer> {
    const shown = await this.store.look()
    const { base } = shown
    const { pathname, searchParams: query } = url
    const { drawDocument, redirectOf } = await loaded(import('../views/document.tsx'))
    const target = redirectOf(url, shown)
    if (target !== undefined) return redirect(302, target)
    const own = this.#resultAt(url)
    const write = this.#writeOf(own ?? this.#resultAt(from))
    const canUndo = write?.undo !== undefined && write.undo.base === base
    // Wherever a window goes, it can undo what it has written.
    if (canUndo && own === undefined && !typed) return redirect(302, withOutcome(url, write.write))
    const place = placeOf(pathname)
    const prompt = shown.prompts.find(({ slug }) => encodeSlug(slug) === place?.encoded)
    const isHistory = prompt !== undefined && place?.view === 'history'
    const versions = isHistory ? await this.#versions(prompt.slug, query) : undefined
    const isEdit = prompt !== undefined && place?.view === 'edit'
    const moved = isEdit ? this.#movedSince(prompt, shown, typed?.get('lock')) : undefined
    const { texts, error, follow }: Acted = result ?? own ?? { texts: [] }
    const told = [...new Set([...texts, ...(canUndo ? write.texts : [])])]
    // What has moved is told in the form, with the way on.
    const shownError = moved ? undefined : error
    const outcome = told.length > 0 || shownError ? { texts: told, error: shownError } : undefined
    const next = { follow: follow?.base === base ? follow : undefined, canUndo }
    const known = { ...shown, prompt, versions, moved, outcome, ...next }
    const body = drawDocument({ ...this.#redacted(known), place, query, typed }, SCRIPT)
    const isFound = prompt !== undefined || (place !== undefined && place.kind !== 'prompt')
    return html(isFound ? 200 : 404, body, SCRIPT)
  }

  /** What was typed, for the lock as it is now: a field that came back as it was drawn gets the text of that. */
  #rebased({ lock, part, typed }: Form): Typed {
    const drawn = this.#drawn.get(typed.get('lock') ?? '') ?? []
    const former = drawn.flatMap((prompt) =>
      prompt.slug === part.slug ? lockOf(prompt).parts : [],
    )
    const [stored] = viewOf({ parts: former }, part.environment).prompts
    const { held } = indexParts(former).get(partKey(part)) ?? {}
    const shown = { system: stored?.system, user: stored?.user, reason: held?.reason ?? '' }
    const { secrets } = this.store.source.project.options
    const rebased = new Map(typed).set('lock', lock ?? '')
    for (const [name, text] of Object.entries(stored ? shown : {}))
      if (isAsDrawn(text ?? '', typed.get(name), secrets)) rebased.delete(name)
    return rebased
  }

  /** What of a prompt has changed since a form was drawn for a lock. Default: this one. */
  #movedSince(
    prompt: ListedPrompt,
    { base = '', prompts }: Shown,
    lock: string = base,
  ): View['moved'] {
    keep(this.#drawn, base, prompts)
    if (lock === base) return undefined
    const former = this.#drawn.get(lock)?.find(({ slug }) => slug === prompt.slug)
    return former ? changeRows(compareLocks(lockOf(former), lockOf(prompt))) : 'unknown'
  }

  async #versions(slug: string, query: URLSearchParams): Promise<Known<Versions>> {
    const { project } = this.store.source
    const commit = query.get('at')
    try {
      const { readHistory } = await import('../../features/log/read-history.ts')
      const request = { slug, limit: VERSIONS, commit }
      const { entries, end, chosen: rows } = await readHistory(project.lock, request)
      if (commit === null) return { entries, end }
      const { after: lock } = await project.show()
      const former = (await readLockAt(project.lock, commit)) ?? { parts: [] }
      const changes = compareLocks(lock, former).filter((change) => change.slug === slug)
      return { entries, end, chosen: { commit, rows, back: changeRows(changes) } }
    } catch (error) {
      return { error: errorView(error) }
    }
  }

  /** A value without the keys. Everything that a document shows goes through this. */
  #redacted<Value>(value: Value): Value {
    const { secrets } = this.store.source.project.options
    return changeTexts(value, (text) => redact(text, secrets))
  }
}

/** Adds a value to the last ones. */
function keep<Value>(values: Map<string, Value>, key: string, value: Value): undefined {
  values.delete(key)
  values.set(key, value)
  const [oldest = ''] = values.keys()
  if (values.size > KEPT) values.delete(oldest)
}

function lockOf({ staging, ...prompt }: ListedPrompt): Lock {
  return { parts: staging ? [prompt, staging] : [prompt] }
}

function parseUrl(address: string): URL | undefined {
  return URL.canParse(address, 'http://page') ? new URL(address, 'http://page') : undefined
}

function withOutcome(url: URL, name: string | undefined): string {
  const next = new URL(url)
  next.searchParams.delete('outcome')
  if (name !== undefined) next.searchParams.set('outcome', name)
  return next.pathname + next.search
}

/** The files that a document consists of. They are a fixed list, so no request can name another one. */
const FILES: ReadonlyMap<string, Answer> = new Map(
  [
    ['/page.css', 'text/css; charset=utf-8'],
    ['/icon.svg', 'image/svg+xml'],
  ].map(([path = '', type = '']) => {
    return [path, { status: 200, headers: { 'content-type': type }, body: readText(path) }]
  }),
)

/** The script that is in each document, without comments and indentation. */
const SCRIPT = readText('/script.js').replaceAll(/^ *(?:\/[/*].*\n)?/gm, '')

/** A file beside the folder of this one, or beside the bundle that contains it. */
function readText(path: string): string {
  const folder = import.meta.url.endsWith('.ts') ? '..' : '.'
  return readFileSync(new URL(folder + path, import.meta.url), 'utf8')
}
