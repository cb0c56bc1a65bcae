export { type ErrorCode, type ErrorDetails, PromptsError } from './errors/catalogue.ts'
export {
  defineConfig,
  type Guard,
  type Options,
  type PluginOptions,
  type PullPolicy,
} from './config/options.ts'
export { plugin as unplugin } from './plugin/unplugin.ts'
