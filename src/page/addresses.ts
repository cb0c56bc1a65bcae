import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'

/** The path below the base of a dev server that redirects to the page of a workspace. */
export function pagePath(workspace: string): string {
  return `/__${workspace}`
}

/** The path for an app with one workspace. */
export const PAGE_PATH: string = pagePath(DEFAULT_WORKSPACE)

/** The views of one prompt, with their names in the page. */
export const VIEWS = [
  { view: 'text', label: 'Text' },
  { view: 'edit', label: 'Try and edit' },
  { view: 'history', label: 'History' },
] as const

type View = (typeof VIEWS)[number]['view']

/** What a document shows. The address of the start leads to the changes while something waits. */
export type Place =
  | { readonly kind: 'start' | 'prompts' | 'changes' }
  | { readonly kind: 'prompt'; readonly slug: string; readonly view: View }

/** The path of a place: `/`, `/prompts`, `/changes`, `/prompts/<slug>` or `/prompts/<slug>/<view>`. */
export function pathOf(place: Place): string {
  if (place.kind === 'start') return '/'
  if (place.kind !== 'prompt') return `/${place.kind}`
  return `/prompts/${encodeSlug(place.slug)}${place.view === 'text' ? '' : `/${place.view}`}`
}

/**
 * Slugs can be any text. Browsers remove `.` and `..` from paths, percent-encoded or not, so their dots are
 * encoded twice.
 */
export function encodeSlug(slug: string): string {
  return /^\.{1,2}$/.test(slug)
    ? slug.replaceAll('.', '%252E')
    : encodeURIComponent(slug.replaceAll(/\p{Cs}/gu, '\ufffd'))
}

/**
 * The place of a path; `undefined` for none.
 *
 * @param slugs - of the lock: paths are not decoded, but compared with those of its prompts. Others have the
 *   slug as the path has it.
 */
export function placeOf(path: string, slugs: readonly string[]): Place | undefined {
  const [kind = '', encoded, name = 'text', ...rest] = path.slice(1).split('/')
  if (encoded === undefined) {
    if (kind === '') return { kind: 'start' }
    return kind === 'prompts' || kind === 'changes' ? { kind } : undefined
  }
  const { view } = VIEWS.find((other) => other.view === name) ?? {}
  if (kind !== 'prompts' || encoded === '' || view === undefined || rest.length > 0)
    return undefined
  const slug = slugs.find((other) => encodeSlug(other) === encoded) ?? decode(encoded)
  return { kind: 'prompt', slug, view }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
