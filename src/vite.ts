import { vitePlugin } from './plugin/index.ts'

/** The plugin for Vite. */
const vite: typeof vitePlugin = vitePlugin

export default vite
