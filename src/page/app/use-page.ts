import { type Context, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Entry } from './entries.ts'
import type { Connection, PageData } from './use-page-state.ts'

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
