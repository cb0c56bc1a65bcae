import { rsbuildPlugin } from './plugin/rspack/rspack.ts'

/** The plugin for Rsbuild. */
const rsbuild: typeof rsbuildPlugin = rsbuildPlugin

export default rsbuild
