/**
 * What esbuild and Bun share. Their plugins set up one build, in which they see only the files that
 * they load themselves.
 */
import { extname } from 'node:path'
import type { PluginBuild } from 'esbuild'
import type { Host } from './host.ts'
import { isOwnPlugin, type WorkspaceIds } from './ids.ts'
import type { ImporterCode, ReadImporter } from './importers.ts'
import { createInstance, type PluginInstance } from './instance.ts'
import type { PluginFactory, SetupPlugin } from './plugin-factory.ts'

/** The hooks that both have. */
export type SetupBuild = Pick<PluginBuild, 'onStart' | 'onResolve' | 'onLoad'>

/**
 * Creates a plugin.
 *
 * @param setup - sets up one build. Several may run side by side
 */
export function createSetupPlugin<Build extends object>(
  setup: (build: Build, instance: PluginInstance) => Promise<void>,
): PluginFactory<SetupPlugin> {
  return (options) => {
    const instance = createInstance(options)
    return { name: instance.ids.plugin, setup: (build) => setup(build as Build, instance) }
  }
}

/**
 * Serves the modules of a host.
 *
 * @param watchFiles - what each build watches. This is asked while resolving, since a module that
 *   fails to load adds no files. Default: nothing
 */
export function serveModules(
  { onResolve, onLoad }: SetupBuild,
  host: Host,
  watchFiles: () => Promise<string[]> = async () => [],
): void {
  const { ids } = host.context
  const namespace = ids.plugin.replace(':', '-')
  onResolve({ filter: ids.specifierPattern }, async ({ path, importer, namespace: origin }) => {
    // These modules import each other. The app's import of the first one has added the files.
    const files = origin === namespace ? [] : await watchFiles()
    // The importer of an entry point is empty.
    const id = await host.resolve(path, importer || undefined, {})
    return { path: id, namespace, watchFiles: files }
  })
  onLoad({ filter: /.*/, namespace }, async ({ path }) => ({
    contents: await host.load(path, { addWatchFile: () => undefined }),
    loader: 'js',
  }))
}

/**
 * Reads importers, each once after it was loaded. A plugin can't see a file without loading it for all, so
 * only files that no plugin loads are read. Plugins are called in order until one loads the file. So if
 * this plugin is called, none before it has loaded the file, and if it is the last one, none after it will.
 * Instances for other workspaces load no files.
 *
 * @param plugins - all plugins of the build, in order
 * @param read - reads a file as JavaScript, as the bundler would
 */
export function readUnclaimedFiles(
  { onLoad, onResolve }: SetupBuild,
  ids: WorkspaceIds,
  plugins: readonly { readonly name: string }[],
  read: (path: string) => Promise<ImporterCode | undefined>,
): ReadImporter {
  const position = plugins.findIndex(({ name }) => name === ids.plugin)
  const isLast = position !== -1 && plugins.slice(position).every(isOwnPlugin)
  if (!isLast) return () => undefined
  const unclaimed = new Map<string, Promise<ImporterCode | undefined> | undefined>()
  const madeByPlugins = new Set<string>()
  onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: 'file' }, ({ path, suffix = '' }) => {
    if (suffix === '') unclaimed.set(path, undefined)
    return undefined
  })
  onResolve({ filter: ids.specifierPattern }, ({ importer, namespace }) => {
    if (namespace !== 'file') madeByPlugins.add(importer)
    return undefined
  })
  return (importer) => {
    if (!unclaimed.has(importer) || madeByPlugins.has(importer)) return undefined
    const code = unclaimed.get(importer) ?? read(importer)
    unclaimed.set(importer, code)
    return code
  }
}

/** The language of a file that is read here: `js`, `jsx`, `ts` or `tsx`. */
export function languageOf(path: string): string {
  return extname(path).replace(/^\.[cm]?/, '')
}
