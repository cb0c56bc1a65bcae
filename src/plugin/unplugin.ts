import type { PluginBuild } from 'esbuild'
import {
  createEsbuildPlugin,
  createRolldownPlugin,
  createRollupPlugin,
  createRsbuildPlugin,
  createRspackPlugin,
  createWebpackPlugin,
} from 'unplugin'
import { createHost } from './host.ts'
import { createInstance, type PluginInstance } from './instance.ts'
import type { ApplyPlugin, PluginFactory, HookPlugin, SetupPlugin } from './plugin-factory.ts'
import { esbuildHooks } from './esbuild/esbuild.ts'
import { rolldownHooks, rollupHooks } from './rollup/rollup.ts'
import { rsbuildHooks, rspackHooks } from './rspack/rspack.ts'
import { vitePlugin } from './vite/vite.ts'
import { webpackHooks } from './webpack/webpack.ts'

interface PluginFactories {
  readonly vite: PluginFactory<HookPlugin>
  readonly rollup: PluginFactory<HookPlugin>
  readonly rolldown: PluginFactory<HookPlugin>
  readonly webpack: PluginFactory<ApplyPlugin>
  readonly rspack: PluginFactory<ApplyPlugin>
  readonly rsbuild: PluginFactory<SetupPlugin>
  readonly esbuild: PluginFactory<SetupPlugin>
}

const rollup = createRollupPlugin((instance: PluginInstance) => rollupHooks(createHost(instance)))
const rolldown = createRolldownPlugin((instance: PluginInstance) =>
  rolldownHooks(createHost(instance)),
)
const webpack = createWebpackPlugin((instance: PluginInstance) =>
  webpackHooks(createHost(instance)),
)
const rspack = createRspackPlugin((instance: PluginInstance) => rspackHooks(createHost(instance)))
const rsbuild = createRsbuildPlugin<PluginInstance, false>((instance) =>
  rsbuildHooks(createHost(instance)),
)
const esbuild = createEsbuildPlugin((instance: PluginInstance) =>
  esbuildHooks(createHost(instance)),
)

/** The plugin factories. Each entry point of the package exports one. */
export const plugin: PluginFactories = {
  vite: vitePlugin,
  rollup: (options) => rollup(createInstance(options)) as HookPlugin,
  rolldown: (options) => rolldown(createInstance(options)) as HookPlugin,
  webpack: (options) => webpack(createInstance(options)),
  rspack: (options) => rspack(createInstance(options)),
  rsbuild: (options) => rsbuild(createInstance(options)),
  /** Each build gets its own hooks, since builds for several platforms may run side by side. */
  esbuild(options) {
    const instance = createInstance(options)
    return {
      name: instance.ids.plugin,
      setup: (build) => esbuild(instance).setup(build as PluginBuild),
    }
  },
}
