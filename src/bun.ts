import { bunPlugin } from './plugin/bun/bun.ts'

/** The plugin for Bun. */
const bun: typeof bunPlugin = bunPlugin

export default bun
