import {
  createFarmPlugin,
  createUnplugin,
  type UnpluginInstance,
  type UnpluginOptions,
} from 'unplugin'
import type { PluginOptions } from '../options.ts'
import { type Call, readCall } from './call.ts'
import { esbuildHooks } from './esbuild.ts'
import { farmHooks, farmObserver } from './farm.ts'
import { createHost, type Host } from './host.ts'
import { rollupManifest, webpackManifest } from './manifest.ts'
import { rolldownHooks, rollupHooks } from './rollup.ts'
import { idOfPath } from './ids.ts'
import { refuseTwin } from './twins.ts'
import { viteHooks } from './vite.ts'
import { webpackHooks, withoutDetails } from './webpack.ts'

const hooks = createUnplugin<Call, false>((call, { framework }) =>
  createHooks(createHost(call, framework), framework),
)

/** Farm alone needs a second plugin, which sees modules after all others. */
const farmPlugins = createFarmPlugin<Call>((call, { framework }) => {
  const host = createHost(call, framework)
  return [createHooks(host, framework), farmObserver(host)]
})

type Instance = UnpluginInstance<PluginOptions | undefined, false>
type Bundler = 'vite' | 'rollup' | 'rolldown' | 'webpack' | 'rspack' | 'rsbuild' | 'esbuild'

/** The plugin for every bundler that unplugin knows; each door of the package takes its own. */
export const plugin: Pick<Instance, Bundler> &
  Pick<UnpluginInstance<PluginOptions | undefined>, 'farm'> = {
  vite: (options) => hooks.vite(readCall(options)),
  rollup: (options) => hooks.rollup(readCall(options)),
  rolldown: (options) => hooks.rolldown(readCall(options)),
  webpack: (options) => hooks.webpack(readCall(options)),
  rspack: (options) => hooks.rspack(readCall(options)),
  rsbuild: (options) => hooks.rsbuild(readCall(options)),
  /** In each build with hooks of its own, since builds of several platforms may run side by side. */
  esbuild(options) {
    const call = readCall(options)
    return { name: call.ids.plugin, setup: (build) => hooks.esbuild(call).setup(build) }
  },
  farm: (options) => farmPlugins(readCall(options)),
}

type RsbuildHooks = Exclude<UnpluginOptions['rsbuild'], undefined>

/** Rsbuild goes on with one of several plugins of a name, so all that were given are looked at. */
function rsbuildHooks({ ids, surround }: Host): RsbuildHooks {
  return {
    setup({ context, getRsbuildConfig }) {
      const { plugins = [] } = getRsbuildConfig('original')
      refuseTwin(ids, (plugins as unknown[]).flat(Infinity))
      surround({ root: context.rootPath })
    },
  }
}

function createHooks(host: Host, framework: string): UnpluginOptions {
  const { ids, session } = host
  const webpack = webpackHooks(host)
  const manifest = rollupManifest(host)
  return {
    name: ids.plugin,
    enforce: 'pre',

    async buildStart() {
      await session.refresh()
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
        const file = await host.watchedFile()
        if (file !== undefined) this.addWatchFile(file)
        // In a folder with a # in its name, Rspack's own form of a path comes here.
        return host.load(idOfPath(id), this)
      },
    },

    vite: { ...viteHooks(host), ...manifest },
    rollup: { ...rollupHooks(host), ...manifest },
    rolldown: { ...rolldownHooks(host), ...manifest },
    webpack(compiler) {
      const { sources } = compiler.webpack
      webpack(compiler, compiler.webpack)
      webpackManifest(host, compiler, (text) => new sources.RawSource(text))
    },
    rspack(compiler) {
      const { sources } = compiler.rspack
      webpack(compiler, compiler.rspack)
      webpackManifest(host, compiler, (text) => new sources.RawSource(text))
    },
    rsbuild: rsbuildHooks(host),
    esbuild: esbuildHooks(host),
    farm: farmHooks(host),
  }
}
