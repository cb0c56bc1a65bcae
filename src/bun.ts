import { type BunPlugin, createBunPlugin } from './plugin/bun.ts'
import type { PluginOptions } from './options.ts'

/** The plugin for Bun. */
const bun: (options?: PluginOptions) => BunPlugin = createBunPlugin

export default bun
