export type { ErrorCode, ErrorDetails } from './errors/catalogue.ts'
export { PromptsError } from './errors/prompts-error.ts'
export {
  defineConfig,
  type Guard,
  type Options,
  type PluginOptions,
  type PullPolicy,
} from './config/options.ts'
export type { CustomService, ServiceContext } from './config/service-option.ts'
