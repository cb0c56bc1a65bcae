import type { Dispatch, StateUpdater } from 'preact/hooks'
import { errorMessage } from '../../errors/error-code.ts'
import { EVENTS } from '../endpoints.ts'
import { CHANGED, type Changed, type ListedPrompt, type PageState } from '../protocol.ts'
import { type PromptList, read, readPromptList } from './api.ts'

/** Milliseconds between checks of the service while the page is visible. */
const CHECK_INTERVAL = 60_000

const SERVER_LOST = 'The dev server does not answer. The page shows its last state.'

/** The state with the prompts of the lock; none if the lock can't be read. */
export interface PageData extends PageState {
  readonly prompts: readonly ListedPrompt[]
}

/** Takes what becomes known of the project. */
export interface Known {
  readonly setState: Dispatch<StateUpdater<PageData | undefined>>
  /** Why the page may be out of date. */
  readonly setProblem: (problem: string | undefined) => void
  /** Whether the service is being asked. */
  readonly setChecking: (checking: boolean) => void
}

/** The actions that refresh the page. */
export interface Connection {
  /** Reads the state, and reads it again whenever the dev server reports a change. */
  readonly follow: () => void
  /** Asks the service now. */
  readonly check: () => void
  /** Reads the state again, for example after a comparison. */
  readonly reload: () => void
}

/** Connects the page to the dev server until its window is closed. */
export function createConnection({ setState, setProblem, setChecking }: Known): Connection {
  const readData = createDataReader()
  const safely = (action: () => Promise<void>) => (): void => {
    action().catch((error: unknown) => setProblem(errorMessage(error)))
  }
  const learn = (part: Partial<PageData>): void =>
    setState((known) => known && { ...known, ...part })
  const load = async (): Promise<void> => {
    setState(await readData())
    setProblem(undefined)
  }
  const ask = async (query: { readonly fresh?: '' } = {}): Promise<void> => {
    setChecking(true)
    try {
      learn({ service: await read('service', query) })
    } finally {
      setChecking(false)
    }
  }
  const findUses = async (): Promise<void> => learn({ uses: await read('uses') })
  const start = async (): Promise<void> => {
    await load()
    await ask()
    // Last, because it takes the longest.
    await findUses()
  }
  const reload = safely(load)
  return {
    follow() {
      reload()
      followEvents({
        open: safely(start),
        [CHANGED]: ({ data }) => safely(data === 'uses' ? findUses : start)(),
        error: () => setProblem(SERVER_LOST),
      })
      setInterval(() => document.hidden || safely(ask)(), CHECK_INTERVAL)
    },
    check: safely(() => ask({ fresh: '' })),
    reload,
  }
}

/**
 * Creates a function that reads the state and, if the lock has changed, the list, which has up to two
 * megabytes. The first list is requested together with the state.
 */
function createDataReader(): () => Promise<PageData> {
  let list: Promise<PromptList> | undefined
  return async () => {
    try {
      list ??= readPromptList()
      const [state, known] = await Promise.all([read('state'), list])
      if (state.lock.kind === 'error') return { ...state, prompts: [] }
      if (known.revision !== state.lock.revision) list = readPromptList()
      return { ...state, prompts: (await list).prompts }
    } catch (error) {
      list = undefined
      throw error
    }
  }
}

/**
 * Listens to the dev server while the page is visible. A hidden tab would only use up one of the few
 * connections that browsers allow per server. It catches up when it becomes visible again.
 */
function followEvents(
  listeners: Readonly<Record<string, (event: MessageEvent<Changed>) => void>>,
): void {
  let source: EventSource | undefined
  const follow = (): void => {
    source?.close()
    source = document.hidden ? undefined : new EventSource(EVENTS)
    for (const [name, listen] of Object.entries(listeners)) source?.addEventListener(name, listen)
  }
  follow()
  document.addEventListener('visibilitychange', follow)
}
