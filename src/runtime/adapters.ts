import type {
  AnyPrompt,
  ContractOf,
  PromptMessage,
  PromptRole,
  RenderArguments,
  RenderedPrompt,
  VariablesOf,
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
  const texts = Object.entries(storedTexts(prompt, prompt.render(...args)))
  const messages = texts.map(([role, content]) => ({ role, content }))
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
  const { system, user } = storedTexts(prompt, prompt.render(...args))
  return {
    ...(system !== undefined && { instructions: system }),
    ...(user !== undefined && { input: user }),
  } as RequestOf<P, Instructions, Input>
}

/**
 * Renders a prompt for Anthropic's messages: `{ system, messages }`, each if the prompt has it.
 *
 * With `{ cache: true }` the constant beginning of the system text is a block with `cache_control` if it has
 * at least 4,000 characters. A prompt without variables takes `{}` as its second argument then.
 *
 * @example await anthropic.messages.create({ model, max_tokens, ...toAnthropic(prompts.supportTriage, { ticket }) })
 * @throws PromptVariableError as `render` does
 */
export function toAnthropic<P extends AnyPrompt>(
  prompt: P,
  ...args: RenderArguments<P>
): RequestOf<P, System, UserMessages>
export function toAnthropic<P extends AnyPrompt>(
  prompt: P,
  variables: VariablesOf<P>,
  options: CacheOptions,
): RequestOf<P, CachedSystem, UserMessages>
export function toAnthropic(
  prompt: AnyPrompt,
  variables?: unknown,
  { cache }: CacheOptions = {},
): object {
  const { systemSource, variables: names } = prompt
  const fill = prompt.render as (values: unknown) => RenderedPrompt
  const request = toSystemAndMessages(prompt, fill(variables))
  const { system } = request
  if (!cache || !system) return request
  // A token begins with `{`, so the texts differ where the first one is.
  const filled = fill(Object.fromEntries(names.map((name) => [name, '}']))).system
  let end = 0
  while (end < filled.length && filled[end] === systemSource[end]) end++
  if (end < CACHE_FLOOR) return request
  // The service refuses a block of white space.
  if (!system.slice(end).trim()) end = system.length
  const rest = system.slice(end)
  return {
    ...request,
    system: [
      { type: 'text', text: system.slice(0, end), cache_control: { type: 'ephemeral' } },
      ...(rest ? [{ type: 'text', text: rest }] : []),
    ],
  }
}

/** Shorter text is below the minimum that providers cache. */
const CACHE_FLOOR = 4000

/** How {@link toAnthropic} marks what can be cached. */
export interface CacheOptions {
  /**
   * Whether to split the system text after its constant beginning.
   *
   * @default false
   */
  readonly cache?: boolean
}

type CachedSystem = {
  system: string | { type: 'text'; text: string; cache_control?: { type: 'ephemeral' } }[]
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
  const { system, ...rest } = toSystemAndMessages(prompt, prompt.render(...args))
  return { ...(system !== undefined && { instructions: system }), ...rest } as RequestOf<
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
  return toSystemAndMessages(prompt, prompt.render(...args)) as RequestOf<P, System, UserMessages>
}

function toSystemAndMessages(
  prompt: AnyPrompt,
  rendered: RenderedPrompt,
): Partial<System & UserMessages> {
  const { user, ...request } = storedTexts(prompt, rendered)
  return {
    ...request,
    ...(user !== undefined && { messages: [{ role: 'user', content: user }] }),
  }
}

/** The texts that the prompt has; one is empty if its values are, and is sent as its type promises. */
function storedTexts(
  { systemSource, userSource }: AnyPrompt,
  { system, user }: RenderedPrompt,
): { system?: string; user?: string } {
  return { ...(systemSource && { system }), ...(userSource && { user }) }
}

/**
 * The prompt, its version and its environment as attributes of an OpenTelemetry span. Name and version are
 * those of the GenAI conventions (schema 1.42.0-dev, in development), which have no environment. Values of
 * variables are not part of it.
 *
 * @example span.setAttributes(toSpanAttributes(prompts.supportTriage))
 */
export function toSpanAttributes({
  slug,
  version,
  environment,
}: Pick<AnyPrompt, 'slug' | 'version' | 'environment'>): {
  'gen_ai.prompt.name': string
  'gen_ai.prompt.version': string
  'unplugin_prompts.environment': AnyPrompt['environment']
} {
  return {
    'gen_ai.prompt.name': slug,
    'gen_ai.prompt.version': version,
    'unplugin_prompts.environment': environment,
  }
}
