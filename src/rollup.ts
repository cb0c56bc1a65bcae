import { plugin } from './plugin/unplugin.ts'

/** The plugin for Rollup. */
const rollup: typeof plugin.rollup = plugin.rollup

export default rollup
