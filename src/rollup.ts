import { plugin } from './plugin/index.ts'

/** The plugin for Rollup. */
const rollup: typeof plugin.rollup = plugin.rollup

export default rollup
