export { toAISDK, toAnthropic, toOpenAI, toOpenAIResponses, toSpanAttributes } from './adapters.ts'
export type { OpenAIChat, OpenAIResponses, SystemAndMessages } from './adapters.ts'
export { compose, definePrompt } from './define-prompt.ts'
export type {
  AnyPrompt,
  Prompt,
  PromptMessage,
  PromptValue,
  PromptVariables,
  RenderArguments,
  RenderedPrompt,
  VariablesOf,
} from './types.ts'
export { PromptVariableError } from './variable-error.ts'
