/** What the page knows, in one place: views read it with {@link useStore}, and ask for more of it. */
import { useEffect, useState } from 'preact/hooks'
import { errorMessage } from '../../errors/error-code.ts'
import {
  type Answers,
  API,
  CHANGED,
  type Changed,
  type ChangesView,
  type ErrorAnswer,
  EVENTS,
  type ImpactView,
  type PageState,
  type PromptList,
  type ReadMode,
  type Side,
  type UsesView,
} from '../protocol.ts'
import type { ImpactFinding } from '../../core/impact.ts'
import { entriesOf, type Entry } from './entries.ts'

/** What the lock is compared with. */
export interface Comparing {
  readonly side: Side
  /** Of `revision`. */
  readonly base: string
}

/** A comparison, and what is under way for it. */
export interface Compared {
  readonly changes?: ChangesView
  /** Of the changes that are read; absent until it is known. */
  readonly impact?: ImpactView
  readonly isReading?: boolean
  readonly isChecking?: boolean
}

/** The project with its prompts. */
export interface PageData extends PageState, PromptList {
  readonly uses: UsesView
}

/** Everything that the page shows. */
export interface Known {
  /** `undefined` until the first answer. */
  readonly data: PageData | undefined
  readonly entries: readonly Entry[]
  /** The code that does not compile with the lock. */
  readonly broken: readonly ImpactFinding[]
  /** By {@link keyOf}. */
  readonly compared: Readonly<Record<string, Compared>>
  /** Why the page may be out of date. */
  readonly problem: string | undefined
  /** Whether the service is being asked, as at the start. */
  readonly isAsking: boolean
}

/** Milliseconds between checks of the service while the page is visible. */
const CHECK_INTERVAL = 60_000

const SERVER_LOST = 'The dev server does not answer. The page shows its last state.'

let known: Known = {
  data: undefined,
  entries: [],
  broken: [],
  compared: {},
  problem: undefined,
  isAsking: true,
}
const listeners = new Set<() => void>()

/** What is known now; the component is drawn again when that changes. */
export function useStore(): Known {
  const [, draw] = useState(known)
  useEffect(() => {
    const listen = (): void => draw(known)
    listeners.add(listen)
    listen()
    return () => void listeners.delete(listen)
  }, [])
  return known
}

/** The same inside of views that are drawn only once the project is known. */
export function useData(): PageData {
  const { data } = useStore()
  if (data === undefined) throw new TypeError('The project is not known yet.')
  return data
}

/** What stays the same while the server runs: a thousand rows need not listen for it. */
export function settings(): Pick<PageData, 'editor' | 'root' | 'run' | 'workspace'> {
  if (known.data === undefined) throw new TypeError('The project is not known yet.')
  return known.data
}

function learn(part: Partial<Known>): void {
  known = { ...known, ...part }
  for (const listen of listeners) listen()
}

function learnData(part: Partial<PageData>): void {
  if (known.data === undefined) return
  const data = { ...known.data, ...part }
  learn({ data, entries: entriesOf(data) })
}

/** Asks an endpoint. Not validated: the server is part of this package and has the same version. */
async function ask<Name extends keyof Answers>(
  name: Name,
  query: Readonly<Record<string, string>> = {},
): Promise<Answers[Name]> {
  const response = await fetch(`${API}${name}?${new URLSearchParams(query)}`)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answers[Name]
}

const lost = (error: unknown): ErrorAnswer => ({
  kind: 'error',
  error: { code: '', why: errorMessage(error), fix: 'Is the dev server running?' },
})

const safely = (action: () => Promise<void>) => (): void => {
  action().catch((error: unknown) => learn({ problem: errorMessage(error) }))
}

async function load(): Promise<void> {
  const state = await ask('state')
  const { data } = known
  const isCurrent = state.lock.kind === 'read' && state.lock.revision === data?.revision
  const { revision, prompts } = isCurrent ? data : await ask('list')
  const service = keptIfSame(data?.service, state.service)
  const next = {
    ...state,
    service,
    revision,
    prompts,
    uses: data?.uses ?? ({ kind: 'pending' } as const),
  }
  const compared = isCurrent ? known.compared : {}
  learn({ data: next, entries: entriesOf(next), compared, problem: undefined })
}

/** The old value if the new one is equal, so that nothing is drawn again. */
function keptIfSame<Value>(before: Value | undefined, after: Value): Value {
  return JSON.stringify(before) === JSON.stringify(after) ? (before as Value) : after
}

async function askService(query: { readonly fresh?: '' } = {}): Promise<void> {
  if (known.data?.lock.kind !== 'read') return
  learn({ isAsking: true })
  try {
    learnData({ service: await ask('service', query) })
  } finally {
    learn({ isAsking: false })
  }
}

async function findUses(): Promise<void> {
  if (known.data?.lock.kind !== 'read') return
  learnData({ uses: await ask('uses') })
  const impact = await ask('impact', { with: 'lock' })
  learn({ broken: impact.kind === 'checked' ? impact.findings : [] })
}

async function start(): Promise<void> {
  await load()
  await askService()
  // Last, because it takes the longest.
  await findUses()
}

/** Asks the service now. */
export const checkService: () => void = safely(() => askService({ fresh: '' }))

/** Reads the project, and follows it until the window is closed. */
export function follow(): void {
  followEvents({
    open: safely(start),
    [CHANGED]: ({ data }) => safely(data === 'uses' ? codeChanged : start)(),
    error: () => learn({ problem: SERVER_LOST }),
  })
  setInterval(() => document.hidden || safely(askService)(), CHECK_INTERVAL)
}

async function codeChanged(): Promise<void> {
  await findUses()
  const open = Object.entries(known.compared).filter(([, { impact }]) => impact !== undefined)
  for (const [key] of open) await check(JSON.parse(key) as Comparing)
}

/** The name of a comparison in {@link Known}. */
export function keyOf(comparing: Comparing): string {
  return JSON.stringify(comparing)
}

/** Reads texts of a comparison, and then checks the app with all that are read. */
export async function readChanges(comparing: Comparing, read: ReadMode): Promise<void> {
  learnCompared(comparing, { isReading: read !== 'none' })
  const changes = await ask('changes', { ...queryOf(comparing), read }).catch(lost)
  learnCompared(comparing, { changes, isReading: false })
  if (changes.kind === 'error') return
  if (comparing.side === 'service') await load()
  const needsCheck = changes.rows.some(({ kind, change }) => change !== null && kind !== 'added')
  if (needsCheck && comparing.side !== 'revision') await check(comparing)
}

async function check(comparing: Comparing): Promise<void> {
  learnCompared(comparing, { isChecking: true })
  const impact = await ask('impact', queryOf(comparing)).catch(lost)
  learnCompared(comparing, { impact, isChecking: false })
}

function learnCompared(comparing: Comparing, part: Compared): void {
  const key = keyOf(comparing)
  learn({ compared: { ...known.compared, [key]: { ...known.compared[key], ...part } } })
}

function queryOf({ side, base }: Comparing): Record<string, string> {
  return side === 'revision' ? { with: side, base } : { with: side }
}

/**
 * Listens to the dev server while the page is visible. A hidden tab would only use up one of the few
 * connections that browsers allow per server. It catches up when it becomes visible again.
 */
function followEvents(
  handlers: Readonly<Record<string, (event: MessageEvent<Changed>) => void>>,
): void {
  let source: EventSource | undefined
  const connect = (): void => {
    source?.close()
    source = document.hidden ? undefined : new EventSource(EVENTS)
    for (const [name, handle] of Object.entries(handlers)) source?.addEventListener(name, handle)
  }
  connect()
  document.addEventListener('visibilitychange', connect)
}
