/** The plugin's name in every bundler. */
export const NAME = 'unplugin-prompts'

/** The modules of this package, by the ids that apps import them by. */
export const PUBLIC_IDS = {
  entry: 'virtual:prompts',
  all: 'virtual:prompts/all',
} as const

/** Finds imports of this package's modules, and of nothing else. */
export const IMPORT_PATTERN: RegExp = /^\0?virtual:prompts(?:\/|$)/

/** Finds the ids that {@link resolvedId} gives. */
export const RESOLVED_PATTERN: RegExp = /^\0virtual:prompts(?:\/|$)/

/** Rollup's sign for modules that no other plugin should look at. */
const MARK = '\0'

/** One of the modules that this package makes. */
export type ModuleName =
  /** What apps import; with an importer, made for that one alone (DESIGN section 6). */
  | { readonly kind: 'entry' | 'all'; readonly importer?: string }
  /** A part of the definitions. */
  | { readonly kind: 'definitions'; readonly part: number }
  | { readonly kind: 'runtime' }

/** The id of a module, such as `virtual:prompts/for/0c3f/all`. */
export function moduleId(name: ModuleName): string {
  const { entry } = PUBLIC_IDS
  if (name.kind === 'runtime') return `${entry}/runtime`
  if (name.kind === 'definitions') return `${entry}/definitions/${name.part}`
  const base = name.importer === undefined ? entry : `${entry}/for/${name.importer}`
  return name.kind === 'entry' ? base : `${base}/all`
}

/** The id under which a bundler keeps a module. */
export function resolvedId(name: ModuleName): string {
  return MARK + moduleId(name)
}

const PATTERN =
  /^\0?virtual:prompts(?:\/for\/(?<importer>[\da-f]+))?(?:\/(?:(?<kind>all|runtime)|definitions\/(?<part>\d+)))?$/

/** The module that an import or a resolved id means, or `undefined` where there is none. */
export function parseModuleId(id: string): ModuleName | undefined {
  const groups = PATTERN.exec(id)?.groups
  if (groups === undefined) return undefined
  const { importer, kind = 'entry', part } = groups
  if (part !== undefined) return { kind: 'definitions', part: Number(part) }
  if (kind === 'runtime') return { kind }
  const served = kind === 'all' ? kind : 'entry'
  return importer === undefined ? { kind: served } : { kind: served, importer }
}
