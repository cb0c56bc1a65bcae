export {
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from './adapters.ts'
export type { CacheOptions, OpenAIChat, RequestOf } from './adapters.ts'
export { compose, definePrompt, PromptVariableError } from './define-prompt.ts'
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
  VariableTypes,
} from './types.ts'
