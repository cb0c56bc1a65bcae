import { vitePlugin } from './plugin/vite-plugin.ts'

/** The plugin for Vite. */
const vite: typeof vitePlugin = vitePlugin

export default vite
