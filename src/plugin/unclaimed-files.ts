import { extname } from 'node:path'
import { isOwnPlugin, type WorkspaceIds } from './ids.ts'
import type { ReadImporter, StaticRequest } from './importers.ts'

/** The part of an esbuild or Bun build that is used here. */
export interface ObservedBuild {
  onLoad(
    filter: { filter: RegExp; namespace: string },
    callback: (file: { path: string; suffix?: string }) => undefined,
  ): void
  onResolve(
    filter: { filter: RegExp },
    callback: (request: { path: string; importer: string; namespace: string }) => undefined,
  ): void
}

/** Options of {@link readUnclaimedFiles}. */
export interface UnclaimedFilesOptions {
  readonly build: ObservedBuild
  readonly ids: WorkspaceIds
  /** All plugins of the build, in order. */
  readonly plugins: readonly { readonly name: string }[]
  /** Reads a file as JavaScript, as the bundler would. */
  readonly read: (path: string) => Promise<string>
  /** Resolves a request of a file, if plugins of the bundler can. */
  readonly resolve?: ResolveRequest
}

/** Returns the file of a request, such as an import; `undefined` if there is none. */
export type ResolveRequest = (request: StaticRequest, path: string) => Promise<string | undefined>

/**
 * Reads importers in esbuild and Bun, where a plugin can't see a file without loading it for all.
 * Only files that no plugin loads are read. Plugins are called in order until one loads the file.
 * So if this plugin is called, none before it has loaded the file, and if it is the last one, none
 * after it will. Instances for other workspaces load no files.
 */
export function readUnclaimedFiles({
  build,
  ids,
  plugins,
  read,
  resolve,
}: UnclaimedFilesOptions): ReadImporter {
  const own = plugins.findIndex(({ name }) => name === ids.plugin)
  if (own === -1 || !plugins.slice(own).every(isOwnPlugin)) return () => undefined
  const unclaimed = new Set<string>()
  const madeByPlugins = new Set<string>()
  build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: 'file' }, ({ path, suffix = '' }) => {
    if (suffix === '') unclaimed.add(path)
    return undefined
  })
  build.onResolve({ filter: ids.entryPattern }, ({ importer, namespace }) => {
    if (namespace !== 'file') madeByPlugins.add(importer)
    return undefined
  })
  return async (importer) => {
    if (!unclaimed.has(importer) || madeByPlugins.has(importer)) return undefined
    const code = await read(importer)
    return resolve === undefined
      ? { code }
      : { code, resolve: (request) => resolve(request, importer) }
  }
}

/** The language of a file that is read here: `js`, `jsx`, `ts` or `tsx`. */
export function languageOf(path: string): string {
  return extname(path).replace(/^\.[cm]?/, '')
}
