import { createFarmPlugin, createUnplugin, type UnpluginInstance } from 'unplugin'
import type { PluginOptions } from '../options.ts'
import { type Call, readCall } from './call.ts'
import { farmObserver } from './farm.ts'
import { createHost } from './host.ts'
import { createHooks } from './index.ts'
import { vitePlugin } from './vite-plugin.ts'

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
  vite: vitePlugin,
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
