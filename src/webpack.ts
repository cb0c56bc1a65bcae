import { webpackPlugin } from './plugin/webpack/webpack.ts'

/** The plugin for webpack. */
const webpack: typeof webpackPlugin = webpackPlugin

export default webpack
