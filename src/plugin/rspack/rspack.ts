import { createRsbuildPlugin, createRspackPlugin, type UnpluginOptions } from 'unplugin'
import type { PublicVariables } from '../../config/resolve-options.ts'
import { createHooks, createHost, type Host } from '../host.ts'
import { assertSinglePlugin } from '../ids.ts'
import { createInstance } from '../instance.ts'
import type { ApplyPlugin, PluginFactory, SetupPlugin } from '../plugin-factory.ts'
import { createApply } from '../webpack/webpack.ts'

/** The plugin for Rspack. */
export const rspackPlugin: PluginFactory<ApplyPlugin> = (options) =>
  createRspackPlugin(rspackHooks)(createHost(createInstance(options)))

function rspackHooks(host: Host): UnpluginOptions {
  return { ...createHooks(host), rspack: createApply(host) }
}

/** The plugin for Rsbuild. */
export const rsbuildPlugin: PluginFactory<SetupPlugin> = (options) =>
  createRsbuildPlugin<Host, false>(rsbuildHooks)(createHost(createInstance(options)))

function rsbuildHooks(host: Host): UnpluginOptions {
  // unplugin doesn't call the Rspack hook in Rsbuild.
  const apply = createApply(host)
  return {
    ...createHooks(host),
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
