import { plugin } from './plugin/unplugin.ts'

/** The plugin for esbuild. */
const esbuild: typeof plugin.esbuild = plugin.esbuild

export default esbuild
