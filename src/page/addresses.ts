import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'

/** The path below the base of a dev server that redirects to the page of a workspace. */
export function pagePath(workspace: string): string {
  return `/__${workspace}`
}

/** The path for an app with one workspace. */
export const PAGE_PATH: string = pagePath(DEFAULT_WORKSPACE)

/** The views of one prompt, with their labels. */
export const VIEWS = {
  update: 'Update',
  text: 'Text',
  edit: 'Try and edit',
  history: 'History',
} as const

export type ViewName = keyof typeof VIEWS

/** What a document shows. Slugs are not decoded, but compared as they are in paths. */
export type Place =
  | {
      readonly kind: 'prompts' | 'changes'
      readonly encoded?: undefined
      readonly view?: undefined
    }
  | { readonly kind: 'prompt'; readonly encoded: string; readonly view: ViewName }

/** The path of a prompt: `/prompts/<slug>` or `/prompts/<slug>/<view>`. */
export function promptPath(slug: string, view: ViewName = 'text'): string {
  return `/prompts/${encodeSlug(slug)}${view === 'text' ? '' : `/${view}`}`
}

/**
 * Slugs can be any text. Browsers remove `.` and `..` from paths, percent-encoded or not, so a comma, which is
 * encoded elsewhere, follows their dots.
 */
export function encodeSlug(slug: string): string {
  return /^\.{1,2}$/.test(slug)
    ? slug.replaceAll('.', '.,')
    : encodeURIComponent(slug.replaceAll(/\p{Cs}/gu, '\ufffd'))
}

/** The place of a path; `undefined` for none. */
export function placeOf(path: string): Place | undefined {
  const [, kind, encoded, view = 'text', ...rest] = path.split('/')
  if (encoded === undefined) return kind === 'prompts' || kind === 'changes' ? { kind } : undefined
  const isPrompt = kind === 'prompts' && encoded !== '' && rest.length === 0
  return isPrompt && isView(view) ? { kind: 'prompt', encoded, view } : undefined
}

function isView(name: string): name is ViewName {
  return Object.hasOwn(VIEWS, name)
}
