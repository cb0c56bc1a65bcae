import { createRspackPlugin, type UnpluginOptions } from 'unplugin'
import type { Compiler } from 'webpack'
import type { PublicVariables } from '../../config/resolve-options.ts'
import { PACKAGE_NAME } from '../../core/workspace-name.ts'
import { assertVersion, LOWEST_RSPACK } from '../../fs/installed-version.ts'
import type { BuildContext } from '../context.ts'
import { assertSinglePlugin } from '../ids.ts'
import { type Build, createInstance, type PluginInstance } from '../instance.ts'
import type { ApplyPlugin, PluginFactory, SetupPlugin } from '../plugin-factory.ts'
import { contextOf, createUnpluginHooks, setUp } from '../webpack/webpack.ts'

/** The plugin for Rspack. */
export const rspackPlugin: PluginFactory<ApplyPlugin> = (options) =>
  createRspack(createInstance(options), {})

/** @param told - what is known of the builds before */
function createRspack(instance: PluginInstance, told: Partial<BuildContext>): ApplyPlugin {
  const { ids } = instance
  return {
    apply(rspack) {
      const compiler = rspack as RspackCompiler
      assertVersion('Rspack', compiler.rspack.rspackVersion, LOWEST_RSPACK)
      // Rspack has the API of webpack, as far as it is used here.
      const webpack = rspack as Compiler
      const build = instance.build({ ...contextOf(webpack), ...told })
      createRspackPlugin(() => createUnpluginHooks(ids, build))(undefined).apply(compiler)
      setUp(webpack, { ids, build }, (_, paths) => {
        // With `invalidate()`, Rspack reuses its modules.
        compiler.watching?.invalidateWithChangesAndRemovals(new Set(paths))
      })
      keyCacheByView(compiler, ids.entry, build)
    },
  }
}

/**
 * Rspack's disk cache compares files, and a variable can choose the view. It also keeps what an import was
 * resolved to, past a change of the option `client`. The options are read when the first build begins.
 */
function keyCacheByView({ hooks, options }: RspackCompiler, entry: string, build: Build): void {
  const { cache, experiments } = options as CacheOptions
  const addView = async (): Promise<void> => {
    // The start of the build reports that the project can't be opened.
    const { session, context } = await build()
    const project = await session.project(context.notify).catch(() => undefined)
    const { served, client } = project?.options ?? {}
    for (const stored of [cache, experiments?.cache])
      if (stored instanceof Object && stored.type === 'persistent')
        stored.version = `${stored.version ?? ''} ${entry} ${served?.environment} ${client}`
  }
  // Once, since a watch runs its hook before each build.
  let added: Promise<void> | undefined
  for (const hook of [hooks.beforeRun, hooks.watchRun])
    hook.tapPromise(PACKAGE_NAME, () => (added ??= addView()))
}

type RspackCompiler = Parameters<Exclude<UnpluginOptions['rspack'], undefined>>[0]
type RsbuildHooks = Exclude<UnpluginOptions['rsbuild'], undefined>
type RsbuildApi = Parameters<Exclude<RsbuildHooks['setup'], undefined>>[0]

/** Where Rspack 2 and 1 have the options of the disk cache. */
interface CacheOptions {
  readonly cache?: StoredCache | boolean
  readonly experiments?: { readonly cache?: StoredCache | boolean }
}

interface StoredCache {
  readonly type?: string
  version?: string
}

/** The plugin for Rsbuild. */
export const rsbuildPlugin: PluginFactory<SetupPlugin> = (options) => {
  const instance = createInstance(options)
  const { ids } = instance
  return {
    name: ids.plugin,
    setup(api) {
      const { context, getRsbuildConfig, modifyRspackConfig } = api as RsbuildApi
      // Rsbuild keeps only one of several plugins with the same name.
      const { plugins = [], source } = getRsbuildConfig('original')
      assertSinglePlugin(ids, (plugins as unknown[]).flat(Infinity))
      const published = publishedByDefine(source?.define)
      const plugin = createRspack(instance, { root: context.rootPath, published })
      // Once for each environment, which has a compiler of its own.
      modifyRspackConfig((config) => void config.plugins.push(plugin))
    },
  }
}

/** Rsbuild's `loadEnv` defines every variable with a public prefix. */
function publishedByDefine(define: object = {}): PublicVariables {
  const names = Object.keys(define).flatMap((key) => /^process\.env\.(\w+)$/.exec(key)?.[1] ?? [])
  return { setting: 'source.define', prefixes: [], names }
}
