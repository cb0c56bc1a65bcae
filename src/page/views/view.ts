import { type Context, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Place } from '../addresses.ts'
import type { FixView, Known, ListedPrompt, Outcome, Shown, Typed, Versions } from '../shown.ts'

/** What answers a form, besides what is known. Such a document is not drawn again by itself. */
export interface Answer {
  readonly outcome?: Outcome | undefined
  readonly fix?: FixView | undefined
  readonly typed?: Typed | undefined
}

/** Everything that a document is drawn from. */
export interface View extends Shown, Answer {
  /** `undefined` for an address that leads nowhere. */
  readonly place: Place | undefined
  /** That of a place in the lock. */
  readonly prompt: ListedPrompt | undefined
  readonly query: URLSearchParams
  readonly versions: Known<Versions> | undefined
  readonly isLive: boolean
}

/** The view of the document that is being drawn. */
export const ViewContext: Context<View> = createContext<View>({} as View)

export function useView(): View {
  return useContext(ViewContext)
}
