import { plugin } from './plugin/index.ts'

/** The plugin for Bun. */
const bun: typeof plugin.bun = plugin.bun

export default bun
