import { plugin } from './plugin/index.ts'

/** The plugin for esbuild. */
const esbuild: typeof plugin.esbuild = plugin.esbuild

export default esbuild
