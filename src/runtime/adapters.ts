import type {
  AnyPrompt,
  ContractOf,
  PromptMessage,
  PromptRole,
  RenderArguments,
  RenderedPrompt,
} from './types.ts'

/** The parts of a request that have text; all parts, optional, if the prompt's roles are unknown. */
export type RequestOf<P extends AnyPrompt, SystemPart, UserPart> = P extends unknown
  ? [ContractOf<P>] extends [never]
    ? Partial<SystemPart & UserPart>
    : PartOf<'system', P, SystemPart> & PartOf<'user', P, UserPart>
  : never

type PartOf<
  Role extends PromptRole,
  P extends AnyPrompt,
  Part,
> = Role extends ContractOf<P>['roles'] ? Part : {}

/** `{ messages }`; nothing for a prompt without text. */
export type OpenAIChat<P extends AnyPrompt> = P extends unknown
  ? [ContractOf<P>] extends [never]
    ? { messages: PromptMessage[] }
    : [ContractOf<P>['roles']] extends [never]
      ? {}
      : { messages: PromptMessage<ContractOf<P>['roles']>[] }
  : never

type Instructions = { instructions: string }
type Input = { input: string }
type System = { system: string }
type UserMessages = { messages: PromptMessage<'user'>[] }

/**
 * Renders a prompt for OpenAI's chat completions: `{ messages }`.
 *
 * @example await openai.chat.completions.create({ model, ...toOpenAI(prompts.supportTriage, { ticket }) })
 * @throws PromptVariableError as `render` does
 */
export function toOpenAI<P extends AnyPrompt>(
  prompt: P,
  ...args: RenderArguments<P>
): OpenAIChat<P> {
  const { messages } = prompt.render(...args)
  return (messages.length > 0 ? { messages } : {}) as OpenAIChat<P>
}

/**
 * Renders a prompt for OpenAI's responses: `{ instructions, input }`, each if the prompt has it.
 *
 * @example await openai.responses.create({ model, ...toOpenAIResponses(prompts.supportTriage, { ticket }) })
 * @throws PromptVariableError as `render` does
 */
export function toOpenAIResponses<P extends AnyPrompt>(
  prompt: P,
  ...args: RenderArguments<P>
): RequestOf<P, Instructions, Input> {
  const { system, user } = prompt.render(...args)
  return {
    ...(system && { instructions: system }),
    ...(user && { input: user }),
  } as RequestOf<P, Instructions, Input>
}

/**
 * Renders a prompt for Anthropic's messages: `{ system, messages }`, each if the prompt has it.
 *
 * @example await anthropic.messages.create({ model, max_tokens, ...toAnthropic(prompts.supportTriage, { ticket }) })
 * @throws PromptVariableError as `render` does
 */
export function toAnthropic<P extends AnyPrompt>(
  prompt: P,
  ...args: RenderArguments<P>
): RequestOf<P, System, UserMessages> {
  return toSystemAndMessages(prompt.render(...args)) as RequestOf<P, System, UserMessages>
}

/**
 * Renders a prompt for the AI SDK 7: `{ instructions, messages }`, each if the prompt has it.
 *
 * @example await generateText({ model, ...toAISDK(prompts.supportTriage, { ticket }) })
 * @throws PromptVariableError as `render` does
 */
export function toAISDK<P extends AnyPrompt>(
  prompt: P,
  ...args: RenderArguments<P>
): RequestOf<P, Instructions, UserMessages> {
  const { system, ...rest } = toSystemAndMessages(prompt.render(...args))
  return { ...(system && { instructions: system }), ...rest } as RequestOf<
    P,
    Instructions,
    UserMessages
  >
}

/**
 * Renders a prompt for the AI SDK 5 and 6: `{ system, messages }`, each if the prompt has it.
 *
 * @example await generateText({ model, ...toAISDK6(prompts.supportTriage, { ticket }) })
 * @throws PromptVariableError as `render` does
 */
export function toAISDK6<P extends AnyPrompt>(
  prompt: P,
  ...args: RenderArguments<P>
): RequestOf<P, System, UserMessages> {
  return toSystemAndMessages(prompt.render(...args)) as RequestOf<P, System, UserMessages>
}

function toSystemAndMessages({ system, user }: RenderedPrompt): Partial<System & UserMessages> {
  return {
    ...(system && { system }),
    ...(user && { messages: [{ role: 'user', content: user }] }),
  }
}

/**
 * The prompt and its version as attributes of an OpenTelemetry span, by the GenAI conventions
 * (schema 1.42.0-dev, in development). Values of variables are not part of it.
 *
 * @example span.setAttributes(toSpanAttributes(prompts.supportTriage))
 */
export function toSpanAttributes({ slug, version }: Pick<AnyPrompt, 'slug' | 'version'>): {
  'gen_ai.prompt.name': string
  'gen_ai.prompt.version': string
} {
  return { 'gen_ai.prompt.name': slug, 'gen_ai.prompt.version': version }
}
