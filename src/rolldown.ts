import { plugin } from './plugin/unplugin.ts'

/** The plugin for Rolldown. */
const rolldown: typeof plugin.rolldown = plugin.rolldown

export default rolldown
