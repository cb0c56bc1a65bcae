import { rolldownPlugin } from './plugin/rollup/rollup.ts'

/** The plugin for Rolldown. */
const rolldown: typeof rolldownPlugin = rolldownPlugin

export default rolldown
