import { plugin } from './plugin/unplugin.ts'

/** The plugin for webpack. */
const webpack: typeof plugin.webpack = plugin.webpack

export default webpack
