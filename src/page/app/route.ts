/** The views of one prompt. */
export type View = 'text' | 'try' | 'compare'

/** The current location: `#/` or `#/<slug>` or `#/<slug>/<view>`. */
export interface Route {
  /** `null` for the overview. */
  readonly slug: string | null
  readonly view: View
}

const VIEWS: readonly View[] = ['text', 'try', 'compare']

/** Parses the fragment of a URL. An unknown one leads to the overview. */
export function parseRoute(hash: string): Route {
  const [encoded = '', view] = hash.replace(/^#\/?/, '').split('/')
  const slug = decode(encoded)
  if (slug === undefined || encoded === '') return { slug: null, view: 'text' }
  return { slug, view: VIEWS.find((known) => known === view) ?? 'text' }
}

/** The fragment of a route. Slugs can be any text, so they are encoded. */
export function printRoute({ slug, view }: Route): string {
  if (slug === null) return '#/'
  return `#/${encodeURIComponent(slug)}${view === 'text' ? '' : `/${view}`}`
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
