/**
 * What the page knows, in one value. Whoever learns something replaces it, and then the whole page is
 * drawn again: views read it with {@link page}.
 */
import { errorMessage } from '../../errors/error-code.ts'
import type { ImpactFinding } from '../../core/impact.ts'
import {
  type Answers,
  API,
  type Changed,
  type ChangesView,
  type ErrorAnswer,
  EVENTS,
  type ImpactView,
  type PageRow,
  type PageState,
  type ReadMode,
  type Side,
  type UsesView,
} from '../protocol.ts'
import { parseRoute, type Route } from './route.ts'

/** Everything that the page shows. */
export interface Page {
  readonly route: Route
  /** `undefined` until the first answer. */
  readonly project: PageState | undefined
  /** `undefined` until the code is analysed. */
  readonly uses: UsesView | undefined
  /** The code that does not compile with the lock. */
  readonly broken: readonly ImpactFinding[]
  /** By {@link keyOf}. That with the service is always followed, the others once they were opened. */
  readonly compared: Readonly<Record<string, Compared>>
  /** Why the page may be out of date. */
  readonly problem: string | undefined
}

/** What the lock is compared with. */
export interface Comparing {
  readonly side: Side
  /** Of `revision`. */
  readonly base: string
}

/** A comparison, and what is under way for it. */
export interface Compared {
  readonly changes?: ChangesView
  /** Of the changes that are read; absent until the app is checked. */
  readonly impact?: ImpactView | undefined
  readonly doing?: ReadMode | 'check' | undefined
}

/** The comparison with the service. */
export const SERVICE: Comparing = { side: 'service', base: 'HEAD' }

let current: Page = {
  route: parseRoute(location.hash),
  project: undefined,
  uses: undefined,
  broken: [],
  compared: { [keyOf(SERVICE)]: { doing: 'none' } },
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

/** What the page knows of a comparison. */
export function comparedWith(comparing: Comparing): Compared {
  return current.compared[keyOf(comparing)] ?? {}
}

function keyOf(comparing: Comparing): string {
  return JSON.stringify(comparing)
}

/** Replaces a part of what the page knows. */
export function learn(part: Partial<Page>): void {
  current = { ...current, ...part }
  draw(current)
}

function learnCompared(comparing: Comparing, part: Compared): void {
  const compared = { ...comparedWith(comparing), ...part }
  learn({ compared: { ...current.compared, [keyOf(comparing)]: compared } })
}

/** Milliseconds between checks of the service while the page is visible. */
const CHECK_INTERVAL = 60_000

const SERVER_LOST =
  'The server of this page does not answer, so this is its last state. Open it from the terminal.'

/** Reads the project, and follows it until the window is closed. */
export function follow(onChange: (page: Page) => void): void {
  draw = onChange
  addEventListener('hashchange', () => learn({ route: parseRoute(location.hash) }))
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
  const state = await ask('state')
  learn({ project: state, problem: undefined })
  if (state.lockError !== null) return
  for (const comparing of opened()) await compare(comparing)
  // Last, because it takes the longest.
  await findUses()
}

function opened(): Comparing[] {
  return Object.keys(current.compared).map((key) => JSON.parse(key) as Comparing)
}

/** Asks the service for its list now. */
export function checkService(): void {
  for (const comparing of opened()) void compare(comparing, 'list')
}

function checkAgain(): void {
  const isReady = current.project?.lockError === null && comparedWith(SERVICE).doing === undefined
  if (isReady) void compare(SERVICE)
}

async function codeChanged(): Promise<void> {
  await findUses()
  for (const comparing of opened()) if (comparedWith(comparing).impact) await check(comparing)
}

async function findUses(): Promise<void> {
  learn({ uses: await ask('uses') })
  const impact = await ask('impact', { with: 'lock' })
  learn({ broken: impact.kind === 'checked' ? impact.findings : [] })
}

/** Compares the lock, reads texts, and then checks the app with all that are read. */
export async function compare(comparing: Comparing, read: ReadMode = 'none'): Promise<void> {
  const last = comparedWith(comparing)
  learnCompared(comparing, { doing: read })
  const changes = await ask('changes', { ...queryOf(comparing), read }).catch(lost)
  learnCompared(comparing, { changes, doing: undefined })
  if (changes.kind !== 'compared') return
  const { rows } = changes
  const isUnread = rows.some(({ change }) => change === null)
  if (project().readsAlways && isUnread && (read === 'none' || read === 'list'))
    return compare(comparing, 'all')
  const isKnown = last.impact && JSON.stringify(rowsOf(last)) === JSON.stringify(rows)
  // The same rows come every minute, and an edit of the code is an event.
  if (isKnown && read === 'none') return
  const needsCheck = rows.some(({ kind, change }) => change !== null && kind !== 'added')
  if (needsCheck && comparing.side !== 'revision') await check(comparing)
}

function rowsOf({ changes }: Compared): readonly PageRow[] {
  return changes?.kind === 'compared' ? changes.rows : []
}

async function check(comparing: Comparing): Promise<void> {
  learnCompared(comparing, { doing: 'check' })
  const impact = await ask('impact', queryOf(comparing)).catch(lost)
  learnCompared(comparing, { impact, doing: undefined })
}

function queryOf({ side, base }: Comparing): Record<string, string> {
  return side === 'revision' ? { with: side, base } : { with: side }
}

function lost(error: unknown): ErrorAnswer {
  const fix = 'Open the page from the terminal.'
  return { kind: 'error', error: { code: '', why: errorMessage(error), fix } }
}

type Query = Readonly<Record<string, string>>

/** Asks an endpoint. Not validated: the server is part of this package and has the same version. */
async function ask<Name extends keyof Answers>(
  name: Name,
  query: Query = {},
): Promise<Answers[Name]> {
  const response = await post(name, query)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answers[Name]
}

/** Sends what a person wants, for the lock that is on the screen. */
export function post(name: string, query: Query): Promise<Response> {
  return fetch(API + name, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ lock: current.project?.hash, ...query }),
  })
}
