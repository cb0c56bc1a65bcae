/** What `virtual:prompts` gives an app beside the prompts; code and declarations name the same. */
export const APP_EXPORTS: readonly string[] = [
  'PromptVariableError',
  'toAISDK',
  'toAnthropic',
  'toOpenAI',
  'toOpenAIResponses',
]
