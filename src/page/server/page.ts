/**
 * The page of one project: documents that are drawn from what the store knows, forms that act, and a stream of
 * events for each window. It has a server, and so an origin, of its own: a dev server only redirects to it.
 */
import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { redact } from '../../config/api-key.ts'
import { viewOf } from '../../core/prompt.ts'
import { findKnownPrompt } from '../../errors/assert-known-slugs.ts'
import { loaded } from '../../errors/prompts-error.ts'
import { runInThread } from '../../features/background/in-thread.ts'
import type { Project } from '../../features/project/project.ts'
import { closeServer, HOST, listen } from '../../http/listen.ts'
import { encodeSlug, placeOf, promptPath } from '../addresses.ts'
import {
  type Known,
  type ListedPrompt,
  type Outcome,
  type Shown,
  type Versions,
  WRITES,
} from '../shown.ts'
import { entriesOf, listedEntries } from '../views/entries.ts'
import type { Answer } from '../views/view.ts'
import { refusalOf } from './access.ts'
import { changesSince } from './changes.ts'
import type { Source } from './code.ts'
import { Decisions, done, partOf } from './decide.ts'
import { type Launch, openInEditor } from './editor.ts'
import { type Form, readForm, typedTexts } from './form.ts'
import {
  documentResponse,
  errorResponse,
  errorView,
  type PageResponse,
  redirect,
  send,
  textResponse,
} from './respond.ts'
import { Store } from './store.ts'
import { Windows } from './windows.ts'

/** What a page needs. */
export interface PageSource extends Partial<Source> {
  readonly project: Project
  /** Replaced in tests. */
  readonly launch?: Launch
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
  const page = new Page(source)
  const server = createServer((request, response) => {
    page.answer(request, response).then(
      (ready) => ready && send(response, ready),
      (error: unknown) => send(response, errorResponse(error)),
    )
  })
  const bound = await listen(server, port, attempts)
  return {
    url: `http://${HOST}:${bound}/`,
    codeChanged: () => page.codeChanged(),
    close: () => closeServer(server),
  }
}

/** The versions of a prompt that its page lists. */
const VERSIONS = 50

/** Outcomes that a reload or a step back can still show. */
const OUTCOMES = 100

class Page {
  readonly #source: PageSource
  readonly #windows: Windows
  readonly #store: Store
  readonly #decisions: Decisions
  /** By the name that is in their address, so that only the window that acted shows one. */
  readonly #outcomes = new Map<string, Outcome>()

  constructor(source: PageSource) {
    this.#source = source
    const onChange = (): void => this.#windows.notify()
    this.#store = new Store({ run: runInThread, now: Date.now, ...source, onChange })
    this.#windows = new Windows(this.#store)
    this.#decisions = new Decisions(this.#store)
  }

  codeChanged(): void {
    this.#store.code.changed()
    this.#windows.changed()
  }

  /** @returns `undefined` if the answer is an event stream */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<PageResponse | undefined> {
    const { method, url: address = '/' } = request
    const isAct = method === 'POST'
    const url = URL.canParse(address, 'http://page') ? new URL(address, 'http://page') : undefined
    const isEvents = url?.pathname === '/events'
    const refusal = refusalOf(request, isAct ? 'act' : isEvents ? 'events' : 'document')
    if (refusal !== undefined) return textResponse(403, refusal)
    if (!isAct && method !== 'GET')
      return textResponse(405, 'Only GET and POST are allowed.', { allow: 'GET, POST' })
    if (url === undefined) return textResponse(404, 'Not found.')
    if (isAct) return this.#act(url, new URLSearchParams(await text(request)))
    if (isEvents) return this.#windows.add(response)
    return (await fileResponse(url.pathname)) ?? this.#document(url)
  }

  async #act(url: URL, fields: URLSearchParams): Promise<PageResponse> {
    if (placeOf(url.pathname) === undefined) return textResponse(404, 'Not found.')
    const { project, launch } = this.#source
    const place = fields.get('open')
    if (place !== null) {
      const failure = await openInEditor(place, project, launch)
      if (failure === undefined) return { status: 204, headers: {}, body: '' }
      return this.#done(url, done([`\`${place}\` was not opened. ${failure}`]))
    }
    const form = readForm(fields, url.searchParams)
    if (form === undefined) return textResponse(400, 'This is no form of the page.')
    if (WRITES.some((act) => act === form.act) && project.options.page !== true)
      return textResponse(403, 'This page only reads, as the option `page` says.')
    try {
      return await this.#do(url, form)
    } catch (error) {
      const outcome = done([], errorView(error))
      if (form.act === 'edit') return this.#document(url, { outcome, typed: form.typed })
      return this.#done(url, outcome)
    }
  }

  async #do(url: URL, form: Form): Promise<PageResponse> {
    const [store, decisions] = [this.#store, this.#decisions]
    if (form.act === 'list') await store.askAgain()
    if (form.act === 'read') await store.read((await decisions.onScreen(form)).lock, form.rows)
    if (form.act === 'list' || form.act === 'read') return this.#done(url)
    if (form.act === 'plan') return this.#document(url, { fix: await decisions.planFix(form) })
    if (form.act === 'preview') return this.#document(url, { typed: form.typed })
    if (form.act === 'edit') return this.#edit(url, form)
    return this.#done(url, await decisions.write(form))
  }

  /** Pins texts; if that is refused, what was typed stays in the form. */
  async #edit(url: URL, form: Form): Promise<PageResponse> {
    const { typed } = form
    const { lock } = await this.#decisions.onScreen(form)
    const { slug, environment } = partOf(form)
    const stored = findKnownPrompt(slug, viewOf(lock, environment).prompts, 'The lock')
    const { texts, lossy } = typedTexts(stored, this.#redacted(stored), typed)
    if (lossy.length > 0) return this.#document(url, { outcome: refuseLossy(slug, lossy), typed })
    const outcome = await this.#decisions.write({ ...form, typed: { ...typed, ...texts } })
    const isWritten = await this.#decisions.canUndo(outcome)
    if (!isWritten) return this.#document(url, { outcome, typed })
    return this.#done(new URL(promptPath(slug), url), outcome)
  }

  /** After an act: the address that shows what came of it. */
  #done(url: URL, outcome?: Outcome): PageResponse {
    const next = new URL(url)
    next.searchParams.delete('outcome')
    if (outcome !== undefined) {
      const name = randomUUID().slice(0, 8)
      this.#outcomes.set(name, outcome)
      const [oldest = ''] = this.#outcomes.keys()
      if (this.#outcomes.size > OUTCOMES) this.#outcomes.delete(oldest)
      next.searchParams.set('outcome', name)
    }
    return redirect(303, next.pathname + next.search)
  }

  /** @param answer - to a form; such a document is not drawn again by itself */
  async #document(url: URL, answer?: Answer): Promise<PageResponse> {
    const shown = await this.#store.look()
    const query = url.searchParams
    const place = placeOf(url.pathname)
    const prompt =
      place?.kind === 'prompt'
        ? shown.prompts.find(({ slug }) => encodeSlug(slug) === place.encoded)
        : undefined
    const target = redirectOf(url, shown)
    if (target !== undefined) return redirect(302, target)
    const outcome = answer?.outcome ?? this.#outcomes.get(query.get('outcome') ?? '')
    const canUndo = outcome !== undefined && (await this.#decisions.canUndo(outcome))
    const known = { ...shown, ...answer, outcome: outcome && { ...outcome, canUndo } }
    const isHistory = place?.kind === 'prompt' && place.view === 'history'
    const versions = prompt && isHistory ? await this.#versions(prompt, query) : undefined
    const view = { ...this.#redacted({ ...known, prompt, versions }), typed: answer?.typed }
    const { drawDocument } = await loaded(import('../views/document.tsx'))
    const script = await scriptText()
    const html = drawDocument({ ...view, place, query, isLive: answer === undefined }, script)
    const isMissing = !place || (place.kind === 'prompt' && !prompt)
    return documentResponse(isMissing ? 404 : 200, html, hashOf(script))
  }

  async #versions({ slug }: ListedPrompt, query: URLSearchParams): Promise<Known<Versions>> {
    const { project } = this.#source
    const commit = query.get('at')
    try {
      const { readHistory } = await import('../../features/log/read-history.ts')
      const history = await readHistory(project.lock, { slug, limit: VERSIONS })
      if (commit === null) return { kind: 'known', ...history, chosen: undefined }
      const rows = await changesSince(commit, (await this.#store.lock()).lock, project)
      const ofPrompt = rows.filter((row) => row.slug === slug)
      return { kind: 'known', ...history, chosen: { commit, rows: ofPrompt } }
    } catch (error) {
      return { kind: 'error', error: errorView(error) }
    }
  }

  /** A value without the keys. Everything that a document shows goes through this. */
  #redacted<Value>(value: Value): Value {
    const { secrets } = this.#source.project.options
    const json = JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'string' ? redact(part, secrets) : part,
    )
    return JSON.parse(json) as Value
  }
}

function refuseLossy(slug: string, fields: readonly string[]): Outcome {
  const why = 'has carriage returns or other characters that browsers change'
  const what = `Nothing was written. The ${fields.join(' and ')} text ${why}.`
  return done([`${what} Edit it with \`prompts edit ${slug}\`.`])
}

/**
 * Where an address leads that is no document: the start to the changes while something waits, and a search
 * that finds one prompt to that.
 */
function redirectOf({ pathname, search, searchParams }: URL, shown: Shown): string | undefined {
  const { changes } = shown
  if (pathname === '/')
    return changes?.kind === 'known' && changes.rows.length === 0 ? '/prompts' : '/changes'
  if (pathname !== '/prompts' || !searchParams.get('q')) return undefined
  const [match, ...others] = listedEntries(entriesOf(shown), searchParams)
  return match && others.length === 0 ? promptPath(match.prompt.slug) + search : undefined
}

/** The files that a document consists of. They are a fixed list, so no request can name another one. */
const TYPES: Readonly<Record<string, string>> = {
  '/page.css': 'text/css; charset=utf-8',
  '/icon.svg': 'image/svg+xml',
}

async function fileResponse(path: string): Promise<PageResponse | undefined> {
  const type = Object.hasOwn(TYPES, path) ? TYPES[path] : undefined
  if (type === undefined) return undefined
  return { status: 200, headers: { 'content-type': type }, body: await readFile(fileAt(path)) }
}

/** A file beside the folder of this one, or beside the bundle that contains it. */
function fileAt(path: string): URL {
  return new URL(`${import.meta.url.endsWith('.ts') ? '..' : '.'}${path}`, import.meta.url)
}

let script: Promise<string> | undefined

/** The script that is in each document. */
function scriptText(): Promise<string> {
  return (script ??= readFile(fileAt('/script.js'), 'utf8'))
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('base64')
}
