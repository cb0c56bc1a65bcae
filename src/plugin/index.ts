import type { UnpluginOptions } from 'unplugin'
import type { Published } from '../core/env.ts'
import { esbuildHooks } from './esbuild.ts'
import { farmHooks } from './farm.ts'
import type { Host } from './host.ts'
import { rollupOutput, webpackOutput } from './output.ts'
import { rolldownHooks, rollupHooks } from './rollup.ts'
import { idOfPath } from './ids.ts'
import { refuseTwin } from './twins.ts'
import { viteHooks } from './vite.ts'
import { webpackHooks } from './webpack.ts'
import { failBuild, withoutDetails } from './webpack-errors.ts'

type RsbuildHooks = Exclude<UnpluginOptions['rsbuild'], undefined>
type RspackHook = Exclude<UnpluginOptions['rspack'], undefined>

/** What Rspack needs, also below Rsbuild, where unplugin does not ask for it. */
function rspackHook(host: Host): RspackHook {
  const apply = webpackHooks(host)
  return (compiler) => {
    const { sources } = compiler.rspack
    apply(compiler, compiler.rspack)
    webpackOutput(host, compiler, (text) => new sources.RawSource(text))
  }
}

/** Rsbuild, and whoever calls its `loadEnv`, defines each variable that has a public prefix. */
function publishedByDefine(define: object = {}): Published {
  const variables = Object.keys(define).map((key) => /^process\.env\.(\w+_API_KEY)$/.exec(key)?.[1])
  return { setting: 'source.define', prefixes: variables.filter((each) => each !== undefined) }
}

/** Rsbuild goes on with one of several plugins of a name, so all that were given are looked at. */
function rsbuildHooks(host: Host): RsbuildHooks {
  return {
    setup({ context, getRsbuildConfig, modifyRspackConfig }) {
      const { plugins = [], source } = getRsbuildConfig('original')
      refuseTwin(host.ids, (plugins as unknown[]).flat(Infinity))
      host.surround({ root: context.rootPath, published: publishedByDefine(source?.define) })
      modifyRspackConfig((config) => void config.plugins.push({ apply: rspackHook(host) }))
    },
  }
}

/** unplugin taps this hook of webpack and Rspack by the name of its plugin, after ours are asked. */
function refuseTwinIn(
  { ids }: Host,
  compiler: { readonly hooks: { readonly make: { readonly taps: readonly unknown[] } } },
): void {
  refuseTwin(ids, [...compiler.hooks.make.taps, { name: ids.plugin }])
}

/** Where the hook that begins a build can't say which files to watch. */
const STARTS_WITHOUT_WATCHING: ReadonlySet<string> = new Set(['esbuild', 'farm'])

/** The hooks of every bundler, in the form of unplugin. */
export function createHooks(host: Host, framework: string): UnpluginOptions {
  const { ids } = host
  const output = rollupOutput(host)
  return {
    name: ids.plugin,
    enforce: 'pre',

    async buildStart() {
      const watching = STARTS_WITHOUT_WATCHING.has(framework) ? undefined : this
      await host.start(watching).catch((error: unknown) => failBuild(error, this))
    },

    resolveId: {
      filter: { id: ids.importPattern },
      async handler(id, importer) {
        try {
          return await host.resolve(id, importer, this)
        } catch (error) {
          throw framework === 'webpack' ? withoutDetails(error) : error
        }
      },
    },

    load: {
      filter: { id: ids.resolvedPattern },
      async handler(id) {
        // In a folder with a # in its name, Rspack's own form of a path comes here.
        return host.load(idOfPath(id), this)
      },
    },

    vite: { ...viteHooks(host), ...output },
    rollup: { ...rollupHooks(host), ...output },
    rolldown: { ...rolldownHooks(host), ...output },
    webpack(compiler) {
      const { sources } = compiler.webpack
      refuseTwinIn(host, compiler)
      webpackHooks(host)(compiler, compiler.webpack)
      webpackOutput(host, compiler, (text) => new sources.RawSource(text))
    },
    rspack(compiler) {
      refuseTwinIn(host, compiler)
      rspackHook(host)(compiler)
    },
    rsbuild: rsbuildHooks(host),
    esbuild: esbuildHooks(host),
    farm: farmHooks(host),
  }
}
