import { type BunPlugin, createBunPlugin } from './plugin/bun.ts'
import type { Options } from './options.ts'

/** The plugin for Bun. */
const bun: (options?: Options) => BunPlugin = createBunPlugin

export default bun
