import { createInstance, type PluginInstance } from '../instance.ts'
import type { PluginFactory, HookPlugin } from '../plugin-factory.ts'
import { createHost } from '../host.ts'
import { createHooks } from '../index.ts'

/**
 * The plugin for Vite. It doesn't need unplugin, since Vite has Rollup's hooks. Loading unplugin
 * takes a third of this plugin's load time.
 */
export const vitePlugin: PluginFactory<HookPlugin> = (options) =>
  createVitePlugin(createInstance(options))

/** The plugin for Vite of a framework that has read the options before. */
export function createVitePlugin(instance: PluginInstance): HookPlugin {
  const { vite, ...hooks } = createHooks(createHost(instance, 'vite'), 'vite')
  return { ...hooks, ...vite }
}
