import { rspackPlugin } from './plugin/rspack/rspack.ts'

/** The plugin for Rspack. */
const rspack: typeof rspackPlugin = rspackPlugin

export default rspack
