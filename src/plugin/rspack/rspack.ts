import { createRsbuildPlugin, createRspackPlugin, type UnpluginOptions } from 'unplugin'
import type { PublicVariables } from '../../config/resolve-options.ts'
import { assertVersion, LOWEST_RSPACK } from '../../fs/installed-version.ts'
import { createHost, type Host } from '../host.ts'
import { assertSinglePlugin } from '../ids.ts'
import { createInstance } from '../instance.ts'
import type { ApplyPlugin, PluginFactory, SetupPlugin } from '../plugin-factory.ts'
import { createApply, createUnpluginHooks } from '../webpack/webpack.ts'

/** The plugin for Rspack. */
export const rspackPlugin: PluginFactory<ApplyPlugin> = (options) =>
  createRspackPlugin(rspackHooks)(createHost(createInstance(options)))

function rspackHooks(host: Host): UnpluginOptions {
  return { ...createUnpluginHooks(host), rspack: createRspackApply(host) }
}

function createRspackApply(host: Host): ReturnType<typeof createApply> {
  const apply = createApply(host, ({ watching }, paths) => {
    // With `invalidate()`, Rspack reuses its modules.
    ;(watching as unknown as RspackCompiler['watching'])?.invalidateWithChangesAndRemovals(
      new Set(paths),
    )
  })
  return (compiler) => {
    assertVersion('Rspack', (compiler as RspackCompiler).rspack.rspackVersion, LOWEST_RSPACK)
    apply(compiler)
    keyCacheByView(host, compiler as RspackCompiler)
  }
}

/**
 * Rspack's disk cache compares files, and a variable can choose the view. It also keeps what an import was
 * resolved to, past a change of the option `client`. The options are read when the first build begins.
 */
function keyCacheByView({ ids, session }: Host, { hooks, options }: RspackCompiler): void {
  const { cache, experiments } = options as CacheOptions
  const addView = async (): Promise<void> => {
    // The start of the build reports that the project can't be opened.
    const project = await session()
      .project()
      .catch(() => undefined)
    const { served, client } = project?.options ?? {}
    for (const stored of [cache, experiments?.cache])
      if (stored instanceof Object && stored.type === 'persistent')
        stored.version = `${stored.version ?? ''} ${ids.entry} ${served?.environment} ${client}`
  }
  // Once, since a watch runs its hook before each build.
  let added: Promise<void> | undefined
  for (const hook of [hooks.beforeRun, hooks.watchRun])
    hook.tapPromise(ids.plugin, () => (added ??= addView()))
}

type RspackCompiler = Parameters<Exclude<UnpluginOptions['rspack'], undefined>>[0]

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
export const rsbuildPlugin: PluginFactory<SetupPlugin> = (options) =>
  createRsbuildPlugin<Host, false>(rsbuildHooks)(createHost(createInstance(options)))

function rsbuildHooks(host: Host): UnpluginOptions {
  // unplugin doesn't call the Rspack hook in Rsbuild.
  const apply = createRspackApply(host)
  return {
    ...createUnpluginHooks(host),
    rsbuild: {
      setup({ context, getRsbuildConfig, modifyRspackConfig }) {
        // Rsbuild keeps only one of several plugins with the same name.
        const { plugins = [], source } = getRsbuildConfig('original')
        assertSinglePlugin(host.ids, (plugins as unknown[]).flat(Infinity))
        host.setContext({ root: context.rootPath, published: publishedByDefine(source?.define) })
        modifyRspackConfig((config) => void config.plugins.push({ apply }))
      },
    },
  }
}

/** Rsbuild's `loadEnv` defines every variable with a public prefix. */
function publishedByDefine(define: object = {}): PublicVariables {
  const variables = Object.keys(define).map((key) => /^process\.env\.(\w+_API_KEY)$/.exec(key)?.[1])
  return {
    setting: 'source.define',
    prefixes: variables.filter((variable) => variable !== undefined),
  }
}
