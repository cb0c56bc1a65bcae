import type { PluginBuild } from 'esbuild'
import { createFarmPlugin, createUnplugin } from 'unplugin'
import { type PluginInstance, createInstance } from './instance.ts'
import type { ApplyPlugin, PluginFactory, HookPlugin, SetupPlugin } from './plugin-factory.ts'
import { farmObserver } from './farm/farm.ts'
import { createHost } from './host.ts'
import { createHooks } from './index.ts'
import { vitePlugin } from './vite/vite-plugin.ts'

const hooks = createUnplugin<PluginInstance, false>((instance, { framework }) =>
  createHooks(createHost(instance, framework), framework),
)

/** Farm alone needs a second plugin, which sees modules after all others. */
const farmPlugins = createFarmPlugin<PluginInstance>((instance, { framework }) => {
  const host = createHost(instance, framework)
  return [createHooks(host, framework), farmObserver(host)]
})

/** The plugin for each bundler. */
interface PluginFactories {
  readonly vite: PluginFactory<HookPlugin>
  readonly rollup: PluginFactory<HookPlugin>
  readonly rolldown: PluginFactory<HookPlugin>
  readonly webpack: PluginFactory<ApplyPlugin>
  readonly rspack: PluginFactory<ApplyPlugin>
  readonly rsbuild: PluginFactory<SetupPlugin>
  readonly esbuild: PluginFactory<SetupPlugin>
  readonly farm: PluginFactory<HookPlugin[]>
}

/** The plugin for every bundler that unplugin knows; each entry point of the package takes its own. */
export const plugin: PluginFactories = {
  vite: vitePlugin,
  rollup: (options) => hooks.rollup(createInstance(options)),
  rolldown: (options) => hooks.rolldown(createInstance(options)),
  webpack: (options) => hooks.webpack(createInstance(options)),
  rspack: (options) => hooks.rspack(createInstance(options)),
  rsbuild: (options) => hooks.rsbuild(createInstance(options)),
  /** In each build with hooks of its own, since builds of several platforms may run side by side. */
  esbuild(options) {
    const instance = createInstance(options)
    return {
      name: instance.ids.plugin,
      setup: (build) => hooks.esbuild(instance).setup(build as PluginBuild),
    }
  },
  farm: (options) => [farmPlugins(createInstance(options))].flat(),
}
