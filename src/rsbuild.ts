import { plugin } from './plugin/index.ts'

/** The plugin for Rsbuild. */
const rsbuild: typeof plugin.rsbuild = plugin.rsbuild

export default rsbuild
