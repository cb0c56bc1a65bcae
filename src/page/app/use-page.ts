import { type Context, createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import { type Connection, createConnection, type PageData } from './connection.ts'
import { entriesOf, type Entry } from './entries.ts'

/** What the views show, and how they refresh it. */
export interface PageContents extends Pick<Connection, 'check' | 'reload'> {
  readonly state: PageData
  readonly entries: readonly Entry[]
}

/** Provides the contents to all views. */
export const PageContext: Context<PageContents | undefined> = createContext<
  PageContents | undefined
>(undefined)

/** The contents of the page. */
export function usePage(): PageContents {
  const contents = useContext(PageContext)
  if (contents === undefined) throw new TypeError('The component is outside of the page.')
  return contents
}

/** The contents for {@link PageContext} as soon as there are any. Only one component may use it. */
export function useProject(): {
  readonly contents: PageContents | undefined
  /** Why the page may be out of date. */
  readonly problem: string | undefined
  /** Whether the service is being asked. */
  readonly checking: boolean
} {
  const [state, setState] = useState<PageData>()
  const [problem, setProblem] = useState<string>()
  const [checking, setChecking] = useState(false)
  const { follow, check, reload } = useMemo(
    () => createConnection({ setState, setProblem, setChecking }),
    [],
  )
  useEffect(follow, [])
  const entries = useMemo(
    () => (state === undefined ? [] : entriesOf(state)),
    [state?.prompts, state?.changes, state?.service, state?.uses],
  )
  const contents = useMemo(() => state && { state, entries, check, reload }, [state, entries])
  return { contents, problem, checking }
}
