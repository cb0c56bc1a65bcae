import type { Prompt, RenderArguments, RenderedPrompt } from './types.ts'

/** `{ model, temperature, messages }`, for `client.chat.completions.create` of `openai`. */
export type OpenAIChat = Pick<Prompt, 'model' | 'temperature'> & Pick<RenderedPrompt, 'messages'>

/** `{ instructions, input }`, for `client.responses.create` of `openai`. */
export type OpenAIResponses = { instructions: string; input: string }

/** System text separate from the messages, as for Anthropic and the AI SDK. */
export type SystemAndMessages = { system: string; messages: { role: 'user'; content: string }[] }

/**
 * Renders a prompt for OpenAI's chat completions.
 *
 * @example await openai.chat.completions.create(toOpenAI(prompts.supportTriage, { ticket }))
 * @throws PromptVariableError as `render` does
 */
export function toOpenAI<Variables extends string>(
  prompt: Prompt<string, string, Variables>,
  ...args: RenderArguments<Variables>
): OpenAIChat {
  const { model, temperature } = prompt
  return { model, temperature, messages: prompt.render(...args).messages }
}

/**
 * Renders a prompt for OpenAI's responses.
 *
 * @example await openai.responses.create({ model, ...toOpenAIResponses(prompts.supportTriage, { ticket }) })
 * @throws PromptVariableError as `render` does
 */
export function toOpenAIResponses<Variables extends string>(
  prompt: Prompt<string, string, Variables>,
  ...args: RenderArguments<Variables>
): OpenAIResponses {
  const { system, user } = prompt.render(...args)
  return { instructions: system, input: user }
}

/**
 * Renders a prompt for Anthropic's messages.
 *
 * @example await anthropic.messages.create({ model, max_tokens, ...toAnthropic(prompts.supportTriage, { ticket }) })
 * @throws PromptVariableError as `render` does
 */
export function toAnthropic<Variables extends string>(
  prompt: Prompt<string, string, Variables>,
  ...args: RenderArguments<Variables>
): SystemAndMessages {
  const { system, user } = prompt.render(...args)
  return { system, messages: user ? [{ role: 'user', content: user }] : [] }
}

/**
 * Renders a prompt for the AI SDK's `generateText` and `streamText`. Version 7 calls `system`
 * `instructions`: `const { system: instructions, messages } = toAISDK(…)`.
 *
 * @example await generateText({ model, ...toAISDK(prompts.supportTriage, { ticket }) })
 * @throws PromptVariableError as `render` does
 */
export const toAISDK: typeof toAnthropic = toAnthropic

/**
 * The prompt and its version as attributes of an OpenTelemetry span, by the GenAI conventions
 * (schema 1.42.0-dev, in development). Values of variables are not part of it.
 *
 * @example span.setAttributes(toSpanAttributes(prompts.supportTriage))
 */
export function toSpanAttributes({ slug, version }: Pick<Prompt, 'slug' | 'version'>): {
  'gen_ai.prompt.name': string
  'gen_ai.prompt.version': string
} {
  return { 'gen_ai.prompt.name': slug, 'gen_ai.prompt.version': version }
}
