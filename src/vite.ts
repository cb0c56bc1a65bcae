import { vitePlugin } from './plugin/vite/vite.ts'

/** The plugin for Vite. */
const vite: typeof vitePlugin = vitePlugin

export default vite
