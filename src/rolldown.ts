import { plugin } from './plugin/index.ts'

/** The plugin for Rolldown. */
const rolldown: typeof plugin.rolldown = plugin.rolldown

export default rolldown
