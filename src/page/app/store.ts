/**
 * What the page knows, in one value. Whoever learns something replaces it, and then the whole page is
 * drawn again: views read it with {@link page}.
 */
import { errorMessage } from '../../errors/error-code.ts'
import type { ImpactFinding } from '../../core/impact.ts'
import {
  type Act,
  type Answers,
  API,
  type Changed,
  type ChangesView,
  type ErrorAnswer,
  EVENTS,
  type ImpactView,
  type PageQuery,
  type PageState,
  type ReadMode,
  rowsOf,
  type UsesView,
  type WriteView,
  WRITE,
} from '../protocol.ts'
import { parseRoute, printRoute, type Route } from './route.ts'

/** Everything that the page shows. */
export interface Page {
  readonly route: Route
  /** `undefined` until the first answer. */
  readonly project: PageState | undefined
  /** `undefined` until the code is analysed. */
  readonly uses: UsesView | undefined
  /** The code that does not compile with the lock. */
  readonly broken: readonly ImpactFinding[]
  /** What differs in the service. */
  readonly changes: ChangesView | undefined
  /** Of the changes that are read; `undefined` until the app is checked. */
  readonly impact: ImpactView | undefined
  /** What is under way for these two. */
  readonly doing: ReadMode | 'check' | undefined
  readonly isWriting: boolean
  /** What came of the last decision of this window. */
  readonly outcome: WriteView | undefined
  /** Why the page may be out of date. */
  readonly problem: string | undefined
}

/** The fragment that the route was read from, or that it was written to. */
let address = location.hash

let current: Page = {
  route: parseRoute(address),
  project: undefined,
  uses: undefined,
  broken: [],
  changes: undefined,
  impact: undefined,
  doing: 'none',
  isWriting: false,
  outcome: undefined,
  problem: undefined,
}
let draw: (page: Page) => void = () => undefined

/** What the page knows now. */
export function page(): Page {
  return current
}

/** The project, for views that are drawn only once it is known. */
export function project(): PageState {
  if (current.project === undefined) throw new TypeError('The project is not known yet.')
  return current.project
}

/** Replaces a part of what the page knows. */
export function learn(part: Partial<Page>): void {
  current = { ...current, ...part }
  draw(current)
}

/**
 * Reads the route from an address that is new. Whoever changes the address calls this at once: the event
 * `hashchange` is a later task, and keys before it would act on the old place and be lost.
 */
export function readAddress(): void {
  if (location.hash === address) return
  address = location.hash
  learn({ route: parseRoute(address) })
}

/** Writes the route to the address, without a new entry in the history. */
export function writeAddress(): void {
  history.replaceState(history.state, '', printRoute(current.route))
  address = location.hash
}

/** Milliseconds between checks of the service while the page is visible. */
const CHECK_INTERVAL = 60_000

const SERVER_LOST =
  'The server of this page does not answer, so this is its last state. Open it from the terminal.'

/** Reads the project, and follows it until the window is closed. */
export function follow(onChange: (page: Page) => void): void {
  draw = onChange
  addEventListener('hashchange', readAddress)
  followEvents({
    open: safely(start),
    lock: safely(start),
    uses: safely(codeChanged),
    error: () => learn({ problem: SERVER_LOST }),
  })
  setInterval(() => document.hidden || checkAgain(), CHECK_INTERVAL)
}

/**
 * Listens to the dev server while the page is visible. A hidden tab would only use up one of the few
 * connections that browsers allow per server. It catches up when it becomes visible again.
 */
function followEvents(handlers: Readonly<Record<Changed | 'open' | 'error', () => void>>): void {
  let source: EventSource | undefined
  const connect = (): void => {
    source?.close()
    source = document.hidden ? undefined : new EventSource(EVENTS)
    for (const [name, handle] of Object.entries(handlers)) source?.addEventListener(name, handle)
  }
  connect()
  document.addEventListener('visibilitychange', connect)
}

const safely = (action: () => Promise<void>) => (): void => {
  action().catch((error: unknown) => learn({ problem: errorMessage(error) }))
}

async function start(): Promise<void> {
  learn({ project: await ask('state'), problem: undefined })
  await checkAll()
}

async function checkAll(): Promise<void> {
  if (project().lockError !== null) return
  await compare()
  // Last, because it takes the longest.
  await findUses()
}

function checkAgain(): void {
  const isReady = current.project?.lockError === null && current.doing === undefined
  if (isReady) void compare()
}

async function codeChanged(): Promise<void> {
  await findUses()
  if (current.impact) await check()
}

async function findUses(): Promise<void> {
  learn({ uses: await ask('uses') })
  remember()
  const impact = await ask('impact', { with: 'lock' })
  learn({ broken: impact.kind === 'checked' ? impact.findings : [] })
}

/** Compares the lock with the service, reads texts, and then checks the app with all that are read. */
export async function compare(read: ReadMode = 'none'): Promise<void> {
  const last = checked()
  learn({ doing: read })
  const changes = await ask('changes', { read }).catch(lost)
  learn({ changes, doing: undefined })
  recall()
  if (changes.kind !== 'compared') return
  const { rows } = changes
  const isUnread = rows.some(({ change }) => change === null)
  if (project().readsAlways && isUnread && (read === 'none' || read === 'list'))
    return compare('all')
  // The same rows come every minute, and an edit of the code is an event.
  if (current.impact && last === checked() && read === 'none') return
  const needsCheck = rows.some(({ kind, change }) => change !== null && kind !== 'added')
  if (needsCheck) await check()
}

async function check(): Promise<void> {
  learn({ doing: 'check' })
  const impact = await ask('impact').catch(lost)
  learn({ impact, doing: undefined })
  remember()
}

/** The last check, which stands over a reload until the next one is done. */
interface LastCheck extends Pick<Page, 'uses' | 'impact'> {
  readonly of: string
}

function remember(): void {
  const { uses, impact } = current
  const last: LastCheck = { of: checked(), uses, impact }
  keepStored('check', last)
}

function recall(): void {
  const { uses, impact } = current
  const last = readStored<LastCheck>('check')
  if (last?.of === checked()) learn({ uses: uses ?? last.uses, impact: impact ?? last.impact })
}

/** The lock and the changes that a check is about. */
function checked(): string {
  const rows = rowsOf(current.changes).map((row) => ({
    ...row,
    change: row.change !== null,
  }))
  return JSON.stringify([current.project?.hash, rows])
}

/** Has a decision written. Returns whether nothing of it was left. */
export async function decide(act: Act, query: PageQuery = {}): Promise<boolean> {
  learn({ isWriting: true })
  const outcome = await ask(WRITE, { act, ...query }).catch(lost)
  const state = await ask('state').catch(() => current.project)
  learn({ isWriting: false, outcome, project: state })
  safely(checkAll)()
  return outcome.kind === 'written' && outcome.left.length === 0
}

/** The answer of a server that gives none. */
export function lost(error: unknown): ErrorAnswer {
  const fix = 'Open the page from the terminal.'
  return { kind: 'error', error: { code: '', why: errorMessage(error), fix } }
}

/** Asks an endpoint. Not validated: the server is part of this package and has the same version. */
export async function ask<Name extends keyof Answers>(
  name: Name,
  query: PageQuery = {},
): Promise<Answers[Name]> {
  const response = await post(name, query)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answers[Name]
}

/** Sends what a person wants, for the lock that is on the screen. */
export function post(name: string, query: PageQuery): Promise<Response> {
  return fetch(API + name, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ lock: current.project?.hash, ...query }),
  })
}

const PREFIX = 'unplugin-prompts:'

/**
 * A value that stays in the browser. Storage may be full or forbidden: reading the property of the window
 * throws then. Not validated: only the page writes it.
 */
export function readStored<Value>(key: string): Value | null {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null') as Value | null
  } catch {
    return null
  }
}

/** Keeps a value in the browser, if that is possible: the page works without it. */
export function keepStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value))
  } catch {
    // It is lost on reload.
  }
}
