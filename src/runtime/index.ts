export {
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from './adapters.ts'
export type { CacheOptions, OpenAIChat, RequestOf } from './adapters.ts'
export { compose, definePrompt } from './define-prompt.ts'
export type {
  AnyPrompt,
  ContractOf,
  ModelOf,
  Prompt,
  PromptContract,
  PromptMessage,
  PromptRole,
  PromptValue,
  RenderArguments,
  RenderedPrompt,
  VariablesOf,
} from './types.ts'
export { PromptVariableError } from './variable-error.ts'
