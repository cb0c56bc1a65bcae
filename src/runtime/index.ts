export { toAISDK, toAnthropic, toOpenAI, toOpenAIResponses } from './adapters.ts'
export type { OpenAIChat, OpenAIResponses, SystemAndMessages } from './adapters.ts'
export { compose, definePrompt } from './define-prompt.ts'
export type {
  Prompt,
  PromptMessage,
  PromptValue,
  PromptVariables,
  RenderArguments,
  RenderedPrompt,
} from './types.ts'
export { PromptVariableError } from './variable-error.ts'
