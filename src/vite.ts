import { plugin } from './plugin/index.ts'

/** The plugin for Vite. */
const vite: typeof plugin.vite = plugin.vite

export default vite
