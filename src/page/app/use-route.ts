import { useEffect, useState } from 'preact/hooks'
import { parseRoute, type Route } from './route.ts'

/** The route of the address bar, kept up to date. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useEffect(() => {
    const follow = (): void => setRoute(parseRoute(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}
