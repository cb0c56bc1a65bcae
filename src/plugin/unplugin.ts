import type { PluginBuild } from 'esbuild'
import { createUnplugin } from 'unplugin'
import { type PluginInstance, createInstance } from './instance.ts'
import type { ApplyPlugin, PluginFactory, HookPlugin, SetupPlugin } from './plugin-factory.ts'
import { createHost } from './host.ts'
import { createHooks, vitePlugin } from './index.ts'

const hooks = createUnplugin<PluginInstance, false>((instance, { framework }) =>
  createHooks(createHost(instance, framework), framework),
)

interface PluginFactories {
  readonly vite: PluginFactory<HookPlugin>
  readonly rollup: PluginFactory<HookPlugin>
  readonly rolldown: PluginFactory<HookPlugin>
  readonly webpack: PluginFactory<ApplyPlugin>
  readonly rspack: PluginFactory<ApplyPlugin>
  readonly rsbuild: PluginFactory<SetupPlugin>
  readonly esbuild: PluginFactory<SetupPlugin>
}

/** The plugin factories. Each entry point of the package exports one. */
export const plugin: PluginFactories = {
  vite: vitePlugin,
  rollup: (options) => hooks.rollup(createInstance(options)),
  rolldown: (options) => hooks.rolldown(createInstance(options)),
  webpack: (options) => hooks.webpack(createInstance(options)),
  rspack: (options) => hooks.rspack(createInstance(options)),
  rsbuild: (options) => hooks.rsbuild(createInstance(options)),
  /** Each build gets its own hooks, since builds for several platforms may run side by side. */
  esbuild(options) {
    const instance = createInstance(options)
    return {
      name: instance.ids.plugin,
      setup: (build) => hooks.esbuild(instance).setup(build as PluginBuild),
    }
  },
}
