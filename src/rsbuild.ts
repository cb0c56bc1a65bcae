import { plugin } from './plugin/unplugin.ts'

/** The plugin for Rsbuild. */
const rsbuild: typeof plugin.rsbuild = plugin.rsbuild

export default rsbuild
