export { langfuse, type LangfuseOptions } from './service/langfuse.ts'
