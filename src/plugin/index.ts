import {
  createFarmPlugin,
  createUnplugin,
  type UnpluginInstance,
  type UnpluginOptions,
} from 'unplugin'
import type { Options } from '../options.ts'
import { esbuildHooks } from './esbuild.ts'
import { farmHooks, farmObserver } from './farm.ts'
import { IMPORT_PATTERN, NAME, RESOLVED_PATTERN } from './ids.ts'
import { createHost, type Host } from './host.ts'
import { rollupManifest, webpackManifest } from './manifest.ts'
import { viteHooks } from './vite.ts'
import { webpackHooks, withoutDetails } from './webpack.ts'

/** The plugin for every bundler that unplugin knows; each door of the package takes its own. */
export const plugin: UnpluginInstance<Options | undefined, false> = createUnplugin(
  (options, { framework }) => createHooks(createHost(options, framework), framework),
)

/** Farm alone needs a second plugin, which sees modules after all others. */
export const farm: UnpluginInstance<Options | undefined>['farm'] = createFarmPlugin<
  Options | undefined
>((options, { framework }) => {
  const host = createHost(options, framework)
  return [createHooks(host, framework), farmObserver(host)]
})

function createHooks(host: Host, framework: string): UnpluginOptions {
  const { session, surround } = host
  const webpack = webpackHooks(host)
  const manifest = rollupManifest(host)
  return {
    name: NAME,
    enforce: 'pre',

    async buildStart() {
      await session.refresh()
    },

    resolveId: {
      filter: { id: IMPORT_PATTERN },
      async handler(id, importer) {
        try {
          return await host.resolve(id, importer, this)
        } catch (error) {
          throw framework === 'webpack' ? withoutDetails(error) : error
        }
      },
    },

    load: {
      filter: { id: RESOLVED_PATTERN },
      async handler(id) {
        this.addWatchFile((await session.project()).lock.path)
        return host.load(id, this)
      },
    },

    vite: { ...viteHooks(host), ...manifest },
    rollup: manifest,
    rolldown: {
      options: ({ cwd }) => surround(cwd === undefined ? {} : { root: cwd }),
      ...manifest,
    },
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
    rsbuild: { setup: ({ context }) => surround({ root: context.rootPath }) },
    esbuild: esbuildHooks(host),
    farm: farmHooks(host),
  }
}
