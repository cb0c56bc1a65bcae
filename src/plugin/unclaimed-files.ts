import { isOwnPlugin, type WorkspaceIds } from './ids.ts'
import type { ReadImporter, StaticRequest } from './importers.ts'

/** The part of a build of esbuild or Bun that is used here. */
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

/** What {@link readUnclaimedFiles} works with. */
export interface UnclaimedFilesOptions {
  readonly build: ObservedBuild
  readonly ids: WorkspaceIds
  /** All plugins of the build, in their order. */
  readonly plugins: readonly { readonly name: string }[]
  /** Reads a file as the bundler does, as JavaScript. */
  readonly read: (path: string) => Promise<string>
  /** Resolves a request of a file, in bundlers whose plugins can ask for that. */
  readonly resolve?: ResolveRequest
}

export type ResolveRequest = (request: StaticRequest, path: string) => Promise<string | undefined>

/**
 * Reads importers in esbuild and Bun, where a plugin can't look at a file without taking it from
 * the others: reads those files that no plugin takes. Plugins are asked in their order until one
 * takes a file, so being asked means that none before took it, and being last that none after will.
 * Those of other workspaces take none.
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
