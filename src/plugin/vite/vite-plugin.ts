import { createInstance } from '../instance.ts'
import type { PluginFactory, HookPlugin } from '../plugin-factory.ts'
import { createHost } from '../host.ts'
import { createHooks } from '../index.ts'

/**
 * The plugin for Vite. It doesn't need unplugin, since Vite has Rollup's hooks. Loading unplugin
 * takes a third of this plugin's load time.
 */
export const vitePlugin: PluginFactory<HookPlugin> = (options) => {
  const { vite, ...hooks } = createHooks(createHost(createInstance(options), 'vite'), 'vite')
  return { ...hooks, ...vite }
}
