import type { UnpluginOptions } from 'unplugin'
import type { PublicVariables } from '../../config/published-keys.ts'
import type { Host } from '../host.ts'
import { webpackOutput } from '../webpack/webpack-output.ts'
import { assertSinglePlugin } from '../single-plugin.ts'
import { assertSinglePluginIn, webpackHooks } from '../webpack/webpack.ts'

type RspackHook = Exclude<UnpluginOptions['rspack'], undefined>
type RsbuildHooks = Exclude<UnpluginOptions['rsbuild'], undefined>

/** Hooks for Rspack only. */
export function rspackHook(host: Host): RspackHook {
  const apply = applyTo(host)
  return (compiler) => {
    assertSinglePluginIn(compiler, host)
    apply(compiler)
  }
}

/** Also used in Rsbuild, where unplugin doesn't call the Rspack hook. */
function applyTo(host: Host): RspackHook {
  const apply = webpackHooks(host)
  return (compiler) => {
    const { sources } = compiler.rspack
    apply(compiler, compiler.rspack)
    webpackOutput(host, compiler, (text) => new sources.RawSource(text))
  }
}

/**
 * Rsbuild keeps only one of several plugins with the same name, so this checks the original list.
 */
export function rsbuildHooks(host: Host): RsbuildHooks {
  return {
    setup({ context, getRsbuildConfig, modifyRspackConfig }) {
      const { plugins = [], source } = getRsbuildConfig('original')
      assertSinglePlugin(host.ids, (plugins as unknown[]).flat(Infinity))
      host.setContext({ root: context.rootPath, published: publishedByDefine(source?.define) })
      modifyRspackConfig((config) => void config.plugins.push({ apply: applyTo(host) }))
    },
  }
}

/** Rsbuild's `loadEnv` defines every variable with a public prefix. */
function publishedByDefine(define: object = {}): PublicVariables {
  const variables = Object.keys(define).map((key) => /^process\.env\.(\w+_API_KEY)$/.exec(key)?.[1])
  return { setting: 'source.define', prefixes: variables.filter((each) => each !== undefined) }
}
