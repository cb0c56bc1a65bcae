import { plugin } from './plugin/unplugin.ts'

/** The plugin for Farm. */
const farm: typeof plugin.farm = plugin.farm

export default farm
