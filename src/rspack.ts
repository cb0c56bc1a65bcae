import { plugin } from './plugin/unplugin.ts'

/** The plugin for Rspack. */
const rspack: typeof plugin.rspack = plugin.rspack

export default rspack
