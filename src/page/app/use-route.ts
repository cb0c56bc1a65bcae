import { type Context, createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import { linkFrom, parseRoute, type Place, printRoute, type Route, SEARCH } from './route.ts'

/** Milliseconds before a setting is written to the URL: browsers limit how often it may change. */
const WRITE_DELAY = 150

/** The current route, and the ways to leave it. */
export interface Router {
  readonly route: Route
  /** The address of a place for a link: see {@link linkFrom}. */
  readonly linkTo: (place: Place) => string
  /** Opens a place as a link would. */
  readonly go: (place: Place) => void
  /** Changes a setting without a new entry in the history; `undefined` resets it. */
  readonly set: (name: string, value: string | undefined) => void
}

/** Provides the router to all components. */
export const RouterContext: Context<Router | undefined> = createContext<Router | undefined>(
  undefined,
)

/** The router of the page. */
export function useRouter(): Router {
  const router = useContext(RouterContext)
  if (router === undefined) throw new TypeError('The component is outside of the router.')
  return router
}

/**
 * A setting of the view that is kept in the URL.
 *
 * @param options - the possible values; the first one is the default, which the URL leaves out
 */
export function useSetting<Value extends string>(
  name: string,
  options: readonly { readonly value: Value }[],
): readonly [value: Value, set: (value: Value) => void] {
  const { route, set } = useRouter()
  const values = options.map(({ value }) => value)
  const [normal] = values
  const value = values.find((known) => known === route.settings.get(name)) ?? normal
  if (value === undefined) throw new TypeError('A setting has at least one option.')
  return [value, (next) => set(name, next === normal ? undefined : next)]
}

/** The text of the search. */
export function useSearchText(): string {
  return useRouter().route.settings.get(SEARCH) ?? ''
}

/** The route of the address bar, and changes to it. Only one component may use it. */
export function useAddress(): Router {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  const [edited, setEdited] = useState<Route>()
  useEffect(() => {
    const follow = (): void => {
      setEdited(undefined)
      setRoute(parseRoute(location.hash))
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => (edited === undefined ? undefined : writeLater(edited)), [edited])
  return useMemo(() => {
    const current = edited ?? route
    const linkTo = (place: Place): string => linkFrom(current, place)
    return {
      route: current,
      linkTo,
      go: (place) => (location.hash = linkTo(place)),
      set: (name, value) => setEdited((before) => withSetting(before ?? route, name, value)),
    }
  }, [route, edited])
}

function withSetting({ place, settings }: Route, name: string, value: string | undefined): Route {
  const next = new Map(settings)
  if (value === undefined || value === '') next.delete(name)
  else next.set(name, value)
  return { place, settings: next }
}

/** @returns cancels the write */
function writeLater(route: Route): () => void {
  const from = location.hash
  const timer = setTimeout(() => {
    // A link may have been followed in the meantime.
    if (location.hash === from) history.replaceState(history.state, '', printRoute(route))
  }, WRITE_DELAY)
  return () => clearTimeout(timer)
}
