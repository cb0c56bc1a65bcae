import { rollupPlugin } from './plugin/rollup/rollup.ts'

/** The plugin for Rollup. */
const rollup: typeof rollupPlugin = rollupPlugin

export default rollup
