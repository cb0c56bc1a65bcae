import { isAbsolute } from 'node:path'
import { PromptsError } from '../errors/prompts-error.ts'
import { pluginName, virtualModuleId, PACKAGE_NAME } from '../core/workspace-name.ts'
import { relativePath } from '../fs/paths.ts'

/** Rollup's prefix for ids that other plugins should ignore. */
const VIRTUAL_PREFIX = '\0'

/** One of the generated modules. */
export type ModuleName =
  | ImportedModule
  /** A part of the definitions: digits. */
  | { readonly kind: 'definitions'; readonly part: string }
  | { readonly kind: 'runtime' }

/**
 * What apps import: the prompts of the view, or of staging. With an importer, it is generated for that
 * importer only.
 */
export interface ImportedModule {
  /** `entry` exports `prompts`, `all` each prompt. */
  readonly kind: 'entry' | 'all'
  readonly staging: boolean
  readonly importer?: string
}

/**
 * The number of modules with the definitions, where each would cost too much. Browsers fetch the modules of a dev
 * server one by one, and all of a module again after a change: with 1,000 prompts in one, a changed text took 0.45 s
 * to arrive. A module for each makes Rspack's build of 1,000 prompts 1.5 s slower. The number is fixed, so that
 * another prompt moves no definition away from what modules import.
 */
export const GROUPS = 32

/** The module ids of one workspace. */
export interface WorkspaceIds {
  readonly workspace: string
  /** The plugin's name, unique in a build. */
  readonly plugin: string
  /** What apps import: `virtual:prompts`. */
  readonly entry: string
  /** Matches specifiers of this workspace's modules, also with a query, with which there is no module. */
  readonly specifierPattern: RegExp
  /** Matches specifiers and resolved ids. */
  readonly importPattern: RegExp
  /** Matches the ids that {@link WorkspaceIds.resolved} returns. */
  readonly resolvedPattern: RegExp
  /** The id of a module, such as `virtual:prompts/for/0c3f/all`. */
  readonly module: (name: ModuleName) => string
  readonly resolved: (name: ModuleName) => string
  /** The module of an import or a resolved id; `undefined` if there is none. */
  readonly parse: (id: string) => ModuleName | undefined
}

/** The ids of a workspace. */
export function idsOf(workspace: string): WorkspaceIds {
  const entry = virtualModuleId(workspace)
  const module = (name: ModuleName): string => entry + pathOf(name)
  return {
    workspace,
    plugin: pluginName(workspace),
    entry,
    specifierPattern: new RegExp(`^${entry}(?:[/?]|$)`),
    importPattern: new RegExp(`^\\0?${entry}(?:[/?]|$)`),
    resolvedPattern: new RegExp(`^\\0${entry}(?:/|$)`),
    module,
    resolved: (name) => VIRTUAL_PREFIX + module(name),
    parse: (id) => {
      const specifier = id.startsWith(VIRTUAL_PREFIX) ? id.slice(VIRTUAL_PREFIX.length) : id
      return specifier.startsWith(entry) ? parsePath(specifier.slice(entry.length)) : undefined
    },
  }
}

/**
 * The module of an import or a resolved id.
 *
 * @throws PromptsError MODULE_UNKNOWN
 */
export function moduleOf({ entry, parse }: WorkspaceIds, id: string): ModuleName {
  const name = parse(id)
  if (name === undefined) throw new PromptsError('MODULE_UNKNOWN', { id, module: entry })
  return name
}

function pathOf(name: ModuleName): string {
  if (name.kind === 'runtime') return '/runtime'
  if (name.kind === 'definitions') return `/definitions/${name.part}`
  const base = name.staging ? '/staging' : ''
  const path = name.importer === undefined ? base : `${base}/for/${name.importer}`
  return name.kind === 'entry' ? path : `${path}/all`
}

const PATH =
  /^(?:\/(?<staging>staging))?(?:\/for\/(?<importer>[\da-f]+))?(?:\/(?:(?<kind>all|runtime)|definitions\/(?<part>\d+)))?$/

function parsePath(path: string): ModuleName | undefined {
  const groups = PATH.exec(path)?.groups
  if (groups === undefined) return undefined
  const { staging, importer, kind = 'entry', part } = groups
  if (part !== undefined) return { kind: 'definitions', part }
  if (kind === 'runtime') return { kind }
  return {
    kind: kind === 'all' ? kind : 'entry',
    staging: staging !== undefined,
    ...(importer === undefined ? {} : { importer }),
  }
}

/**
 * The id in a path. For webpack and Rspack, unplugin resolves to a path that ends with the id.
 *
 * @returns other paths unchanged
 */
export function idOfPath(path: string): string {
  const start = path.lastIndexOf(encodeURIComponent(VIRTUAL_PREFIX))
  return start === -1 ? path : decodeURIComponent(path.slice(start))
}

/** The id of a module of the app, the same on every machine. */
export function relativeId(root: string, id: string): string {
  return isAbsolute(id) ? relativePath(root, id) : id
}

/** Whether a plugin is one of this package, for any workspace. */
export function isOwnPlugin({ name }: { readonly name: string }): boolean {
  return name === PACKAGE_NAME || name.startsWith(`${PACKAGE_NAME}:`)
}

/**
 * Fails if a build has two plugins for the same workspace. Each would overwrite the other's lock
 * and declarations, and the bundler would call only one of them.
 *
 * @param plugins - the plugins of a build, or objects with their names
 * @throws PromptsError NAME_TAKEN
 */
export function assertSinglePlugin(
  { plugin, workspace }: WorkspaceIds,
  plugins: readonly unknown[],
): void {
  const same = new Set(plugins.filter((other) => Object(other).name === plugin))
  if (same.size > 1) throw new PromptsError('NAME_TAKEN', { name: workspace })
}
