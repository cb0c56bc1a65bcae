import type { UnpluginOptions } from 'unplugin'
import type { PublicVariables } from '../../config/published-keys.ts'
import type { Host } from '../host.ts'
import { assertSinglePlugin } from '../single-plugin.ts'
import { assertSinglePluginIn, webpackHooks } from '../webpack/webpack.ts'

type RspackHook = Exclude<UnpluginOptions['rspack'], undefined>
type RsbuildHooks = Exclude<UnpluginOptions['rsbuild'], undefined>

/** Hooks for Rspack only. */
export function rspackHook(host: Host): RspackHook {
  const apply = webpackHooks(host)
  return (compiler) => {
    assertSinglePluginIn(compiler, host)
    apply(compiler)
  }
}

/**
 * Rsbuild keeps only one of several plugins with the same name, so this checks the original list.
 */
export function rsbuildHooks(host: Host): RsbuildHooks {
  // unplugin doesn't call the Rspack hook in Rsbuild.
  const apply = webpackHooks(host)
  return {
    setup({ context, getRsbuildConfig, modifyRspackConfig }) {
      const { plugins = [], source } = getRsbuildConfig('original')
      assertSinglePlugin(host.ids, (plugins as unknown[]).flat(Infinity))
      host.setContext({ root: context.rootPath, published: publishedByDefine(source?.define) })
      modifyRspackConfig((config) => void config.plugins.push({ apply }))
    },
  }
}

/** Rsbuild's `loadEnv` defines every variable with a public prefix. */
function publishedByDefine(define: object = {}): PublicVariables {
  const variables = Object.keys(define).map((key) => /^process\.env\.(\w+_API_KEY)$/.exec(key)?.[1])
  return { setting: 'source.define', prefixes: variables.filter((each) => each !== undefined) }
}
