import { plugin } from './plugin/index.ts'

/** The plugin for Farm. */
const farm: typeof plugin.farm = plugin.farm

export default farm
