/** The views of one prompt, with their names in the page. */
export const VIEWS = [
  { view: 'text', label: 'Text' },
  { view: 'try', label: 'Try' },
  { view: 'history', label: 'History' },
] as const

/** A view of one prompt. */
export type View = (typeof VIEWS)[number]['view']

/** What the page shows. */
export type Place =
  /** Changes while something waits, else the prompts. */
  | { readonly kind: 'home' }
  | { readonly kind: 'prompts' }
  | { readonly kind: 'changes' }
  | { readonly kind: 'prompt'; readonly slug: string; readonly view: View }
  /** An address that the page does not know; `path` is its part between `#/` and `?`. */
  | { readonly kind: 'unknown'; readonly path: string }

/**
 * The fragment of the page's URL: `#/`, `#/prompts`, `#/changes`, `#/<slug>` or `#/<slug>/<view>`, with
 * the settings of the view as a query, such as `#/<slug>/try?as=openai&q=ticket`.
 */
export interface Route {
  readonly place: Place
  /** Settings that differ from their default, by name. */
  readonly settings: ReadonlyMap<string, string>
}

/** The setting with the text of the search. */
export const SEARCH = 'q'

/** What is listed in which order, which stays on every link among prompts. */
const OF_LIST: ReadonlySet<string> = new Set([SEARCH, 'show', 'sort'])

/** The tabs. */
const TABS = ['prompts', 'changes'] as const

/** Parses the fragment of a URL. */
export function parseRoute(hash: string): Route {
  const [path = '', ...query] = hash.replace(/^#\/?/, '').split('?')
  return { place: parsePlace(path), settings: new Map(new URLSearchParams(query.join('?'))) }
}

function parsePlace(path: string): Place {
  if (path === '') return { kind: 'home' }
  const tab = TABS.find((kind) => kind === path)
  if (tab !== undefined) return { kind: tab }
  const [encoded = '', name = 'text', ...rest] = path.split('/')
  const slug = decode(encoded)
  const { view } = VIEWS.find((option) => option.view === name) ?? {}
  if (slug === undefined || slug === '' || view === undefined || rest.length > 0)
    return { kind: 'unknown', path }
  return { kind: 'prompt', slug, view }
}

/** The fragment of a route. */
export function printRoute({ place, settings }: Route): string {
  const query = new URLSearchParams([...settings]).toString()
  return `#/${printPlace(place)}${query === '' ? '' : `?${query}`}`
}

function printPlace(place: Place): string {
  if (place.kind === 'home') return ''
  if (place.kind === 'unknown') return place.path
  if (place.kind !== 'prompt') return place.kind
  const { slug, view } = place
  return `${encodeSlug(slug)}${view === 'text' ? '' : `/${view}`}`
}

/** Slugs can be any text. A prompt called like a tab has an encoded letter. */
function encodeSlug(slug: string): string {
  const isTab = TABS.some((kind) => kind === slug)
  const encoded = encodeURIComponent(isTab ? slug.slice(1) : slug)
  return isTab ? `%${slug.charCodeAt(0).toString(16)}${encoded}` : encoded
}

/** The address of another place: prompts keep the list, and the same view its other settings. */
export function linkFrom({ place: from, settings }: Route, place: Place): string {
  const isSameView = viewOf(from) === viewOf(place)
  const keepsList = place.kind === 'prompt' || place.kind === 'prompts'
  const others = [...settings].filter(([name]) => (OF_LIST.has(name) ? keepsList : isSameView))
  return printRoute({ place, settings: new Map(others) })
}

function viewOf(place: Place): string {
  return place.kind === 'prompt' ? place.view : place.kind
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
