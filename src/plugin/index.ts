import type { UnpluginOptions } from 'unplugin'
import { createEsbuildStart } from './esbuild/esbuild-start.ts'
import { esbuildHooks } from './esbuild/esbuild.ts'
import { createHost, type Host } from './host.ts'
import { idOfPath } from './ids.ts'
import { createInstance, type PluginInstance } from './instance.ts'
import type { HookPlugin, PluginFactory } from './plugin-factory.ts'
import { rollupOutput } from './rollup/rollup-output.ts'
import { buildHooks, rolldownHooks } from './rollup/rollup.ts'
import { rsbuildHooks, rspackHook } from './rspack/rspack.ts'
import { viteHooks } from './vite/vite.ts'
import { webpackHook } from './webpack/webpack.ts'
import { failBuild, withoutDetails } from './webpack/webpack-errors.ts'

/** The plugin for Vite. */
export const vitePlugin: PluginFactory<HookPlugin> = (options) =>
  createVitePlugin(createInstance(options))

/**
 * The plugin for Vite, whose options a framework may have read before. It doesn't need unplugin, since Vite
 * has Rollup's hooks. Loading unplugin takes a third of this plugin's load time.
 */
export function createVitePlugin(instance: PluginInstance): HookPlugin {
  const { vite, ...hooks } = createHooks(createHost(instance, 'vite'), 'vite')
  return { ...hooks, ...vite }
}

/** The hooks for every bundler, as an unplugin object. */
export function createHooks(host: Host, framework: string): UnpluginOptions {
  const { ids } = host
  const output = rollupOutput(host)
  const esbuildStart = createEsbuildStart(host)
  return {
    name: ids.plugin,
    enforce: 'pre',

    async buildStart() {
      // esbuild has its own start.
      if (framework === 'esbuild') return
      await host.start(this).catch((error: unknown) => failBuild(error, this))
    },

    resolveId: {
      filter: { id: ids.importPattern },
      async handler(id, importer) {
        try {
          if (framework === 'esbuild') await esbuildStart.watch(this)
          return await host.resolve(id, importer, this)
        } catch (error) {
          throw framework === 'webpack' ? withoutDetails(error) : error
        }
      },
    },

    load: {
      // A plugin that resolves to the specifier itself omits the prefix of a resolved id.
      filter: { id: ids.importPattern },
      async handler(id) {
        // In a folder with `#` in its name, Rspack passes its own form of the path.
        return host.load(idOfPath(id), this)
      },
    },

    vite: { ...viteHooks(host), ...output },
    rollup: { ...buildHooks(host), ...output },
    rolldown: { ...rolldownHooks(host), ...output },
    webpack: webpackHook(host),
    rspack: rspackHook(host),
    rsbuild: rsbuildHooks(host),
    esbuild: esbuildHooks(host, esbuildStart),
  }
}
