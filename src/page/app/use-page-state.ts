import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { API, CHANGED, type Changed, type ListedPrompt, type PageState } from '../protocol.ts'
import { askService, askUses, readPageState, readPromptList, type PromptList } from './api.ts'

/** Milliseconds between checks of the service while the page is visible. */
const CHECK_INTERVAL = 60_000

/** The state with the prompts of the lock; none if the lock can't be read. */
export interface PageData extends PageState {
  readonly prompts: readonly ListedPrompt[]
}

/** The state of the page, and the actions that refresh it. */
export interface Connection {
  /** `undefined` before the first answer. */
  readonly state: PageData | undefined
  /** Why the page may be out of date. */
  readonly problem: string | undefined
  readonly checking: boolean
  /** Asks the service now. */
  readonly check: () => void
  /** Reads the state again, for example after a comparison. */
  readonly reload: () => void
}

/** The state of the project. It is read again whenever the dev server reports a change. */
export function usePageState(): Connection {
  const [state, setState] = useState<PageData>()
  const [problem, setProblem] = useState<string>()
  const [checking, setChecking] = useState(false)
  const readData = useMemo(createDataReader, [])
  const fail = useCallback((error: unknown): void => {
    setProblem(error instanceof Error ? error.message : String(error))
  }, [])

  const load = useCallback(async (): Promise<void> => {
    setState(await readData())
    setProblem(undefined)
  }, [])

  const ask = useCallback(async (force: boolean): Promise<void> => {
    setChecking(true)
    try {
      const service = await askService(force)
      setState((known) => known && { ...known, service })
    } finally {
      setChecking(false)
    }
  }, [])

  // Last, because it takes the longest.
  const lookForUses = useCallback(async (): Promise<void> => {
    const uses = await askUses()
    setState((known) => known && { ...known, uses })
  }, [])

  const start = useCallback((): void => {
    load()
      .then(() => ask(false))
      .then(lookForUses)
      .catch(fail)
  }, [])

  useEffect(() => void load().catch(fail), [])
  useEvents({
    onOpen: start,
    onChange: (what) => (what === 'uses' ? void lookForUses().catch(fail) : start()),
    onLoss: () => setProblem('The dev server does not answer. The page shows its last state.'),
  })
  useInterval(() => void ask(false).catch(fail), CHECK_INTERVAL)
  const check = useCallback(() => void ask(true).catch(fail), [])
  const reload = useCallback(() => void load().catch(fail), [])
  return { state, problem, checking, check, reload }
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
      const [state, known] = await Promise.all([readPageState(), list])
      if (state.lock.kind === 'error') return { ...state, prompts: [] }
      if (known.revision !== state.lock.revision) list = readPromptList()
      return { ...state, prompts: (await list).prompts }
    } catch (error) {
      list = undefined
      throw error
    }
  }
}

interface EventHandlers {
  readonly onOpen: () => void
  readonly onChange: (what: Changed) => void
  readonly onLoss: () => void
}

/**
 * Listens to the dev server while the page is visible. A hidden tab would only use up one of the few
 * connections that browsers allow per server. It catches up when it becomes visible again.
 */
function useEvents(handlers: EventHandlers): void {
  const current = useRef(handlers)
  current.current = handlers
  useEffect(() => {
    let source: EventSource | undefined
    const follow = (): void => {
      source?.close()
      source = document.hidden ? undefined : listen(current)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      source?.close()
    }
  }, [])
}

function listen(handlers: { readonly current: EventHandlers }): EventSource {
  const source = new EventSource(API.events)
  source.addEventListener('open', () => handlers.current.onOpen())
  source.addEventListener(CHANGED, ({ data }: MessageEvent<Changed>) =>
    handlers.current.onChange(data),
  )
  source.addEventListener('error', () => handlers.current.onLoss())
  return source
}

function useInterval(action: () => void, milliseconds: number): void {
  const current = useRef(action)
  current.current = action
  useEffect(() => {
    const timer = setInterval(() => document.hidden || current.current(), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds])
}
