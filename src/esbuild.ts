import { esbuildPlugin } from './plugin/esbuild/esbuild.ts'

/** The plugin for esbuild. */
const esbuild: typeof esbuildPlugin = esbuildPlugin

export default esbuild
