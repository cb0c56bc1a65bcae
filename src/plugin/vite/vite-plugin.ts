import { createInstance } from '../instance.ts'
import type { PluginFactory, HookPlugin } from '../plugin-factory.ts'
import { createHost } from '../host.ts'
import { createHooks } from '../index.ts'

/**
 * The plugin for Vite. Its hooks are those of Rollup, so they need nothing of unplugin, which would
 * load what other bundlers need: a third of the time that this plugin takes to load.
 */
export const vitePlugin: PluginFactory<HookPlugin> = (options) => {
  const { vite, ...hooks } = createHooks(createHost(createInstance(options), 'vite'), 'vite')
  return { ...hooks, ...vite }
}
