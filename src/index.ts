export type { ErrorCode, ErrorDetails } from './errors/catalogue.ts'
export { PromptsError } from './errors/prompts-error.ts'
export {
  type CustomService,
  defineConfig,
  type Guard,
  type Options,
  type PluginOptions,
  type PullPolicy,
  type ServiceContext,
} from './config/options.ts'
