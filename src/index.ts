export { type ErrorCode, type ErrorDetails, PromptsError } from './errors.ts'
export {
  defineConfig,
  type Guard,
  type Options,
  type PluginOptions,
  type PullPolicy,
} from './options.ts'
export { plugin as unplugin } from './plugin/unplugin.ts'
