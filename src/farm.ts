import { farm } from './plugin/index.ts'

export default farm
