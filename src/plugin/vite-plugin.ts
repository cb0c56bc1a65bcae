import type { UnpluginInstance } from 'unplugin'
import type { PluginOptions } from '../options.ts'
import { readCall } from './call.ts'
import { createHost } from './host.ts'
import { createHooks } from './index.ts'

type VitePlugin = UnpluginInstance<PluginOptions | undefined, false>['vite']

/**
 * The plugin for Vite. Its hooks are those of Rollup, so they need nothing of unplugin, which would
 * load what other bundlers need: a third of the time that this plugin takes to load.
 */
export const vitePlugin: VitePlugin = (options) => {
  const { vite, ...hooks } = createHooks(createHost(readCall(options), 'vite'), 'vite')
  return { ...hooks, ...vite } as ReturnType<VitePlugin>
}
