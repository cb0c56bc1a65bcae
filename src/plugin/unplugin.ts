import type { PluginBuild } from 'esbuild'
import { createFarmPlugin, createUnplugin } from 'unplugin'
import { type Call, readCall } from './call.ts'
import type { ApplyPlugin, Door, HookPlugin, SetupPlugin } from './door.ts'
import { farmObserver } from './farm/farm.ts'
import { createHost } from './host.ts'
import { createHooks } from './index.ts'
import { vitePlugin } from './vite/vite-plugin.ts'

const hooks = createUnplugin<Call, false>((call, { framework }) =>
  createHooks(createHost(call, framework), framework),
)

/** Farm alone needs a second plugin, which sees modules after all others. */
const farmPlugins = createFarmPlugin<Call>((call, { framework }) => {
  const host = createHost(call, framework)
  return [createHooks(host, framework), farmObserver(host)]
})

/** The plugin for each bundler. */
interface Doors {
  readonly vite: Door<HookPlugin>
  readonly rollup: Door<HookPlugin>
  readonly rolldown: Door<HookPlugin>
  readonly webpack: Door<ApplyPlugin>
  readonly rspack: Door<ApplyPlugin>
  readonly rsbuild: Door<SetupPlugin>
  readonly esbuild: Door<SetupPlugin>
  readonly farm: Door<HookPlugin[]>
}

/** The plugin for every bundler that unplugin knows; each door of the package takes its own. */
export const plugin: Doors = {
  vite: vitePlugin,
  rollup: (options) => hooks.rollup(readCall(options)),
  rolldown: (options) => hooks.rolldown(readCall(options)),
  webpack: (options) => hooks.webpack(readCall(options)),
  rspack: (options) => hooks.rspack(readCall(options)),
  rsbuild: (options) => hooks.rsbuild(readCall(options)),
  /** In each build with hooks of its own, since builds of several platforms may run side by side. */
  esbuild(options) {
    const call = readCall(options)
    return {
      name: call.ids.plugin,
      setup: (build) => hooks.esbuild(call).setup(build as PluginBuild),
    }
  },
  farm: (options) => [farmPlugins(readCall(options))].flat(),
}
