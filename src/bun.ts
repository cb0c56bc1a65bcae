import { type BunPlugin, createBunPlugin } from './plugin/bun/bun.ts'
import type { PluginOptions } from './config/options.ts'

/** The plugin for Bun. */
const bun: (options?: PluginOptions) => BunPlugin = createBunPlugin

export default bun
