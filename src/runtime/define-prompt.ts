import type { Prompt, PromptMessage, PromptValue, RenderedPrompt } from './types.ts'
import { PromptVariableError } from './variable-error.ts'

// Every app carries this file, so it is written to be short when minified: functions are single
// expressions, and what they would hold in constants stands as defaults of parameters that nobody
// gives. No minifier does that by itself.

/**
 * A prompt's texts as concatenations of literals and of what `slot` makes of each token. One
 * `slot` gives the rendered prompt and another the stored one: a bundle holds every text once.
 */
export type PromptBody = (values: Values, slot: Slot) => RenderedPrompt

/** What an app gives to `render`. */
type Values = Readonly<Record<string, unknown>>

/** What stands in a text for a token, such as `{{ ticket }}`, whose variable has a value. */
type Slot = (token: string, value: unknown, values: Values) => PromptValue

/**
 * Makes a prompt; generated code calls it. Its parameters are positional, so that a prompt costs
 * an app few bytes beside its text.
 */
export const definePrompt = (
  slug: string,
  folder: string,
  model: string,
  temperature: number,
  version: string,
  environment: Prompt['environment'],
  body: PromptBody,
  names: Set<string> = new Set(),
  stored: RenderedPrompt = body({}, (token) => names.add(token.slice(2, -2).trim()) && token),
  variables: readonly string[] = [...names],
  refuse: (values: Values) => never = (values) => {
    throw new PromptVariableError(
      slug,
      version,
      variables.filter((name) => !isUsable(values[name])),
    )
  },
  insert: Slot = (_, value, values) => (isUsable(value) ? value : refuse(values)),
): Prompt =>
  Object.freeze({
    slug,
    folder,
    model,
    temperature,
    version,
    environment,
    variables,
    source: stored.text,
    systemSource: stored.system,
    userSource: stored.user,
    render: (values?: Values | null) => body(values ?? {}, insert),
  })

const isUsable = (value: unknown, type: string = typeof value): value is PromptValue =>
  type === 'string' || type === 'number' || type === 'boolean' || type === 'bigint'

/**
 * Puts a prompt together; generated code calls it. Most prompts have both texts, so the messages
 * begin as one literal, which engines make the fastest.
 *
 * @param join - what stands between system and user in the whole text
 * @param text - the whole text, where it is no join of the two
 */
export const compose = (
  system: string,
  user: string,
  join: string,
  text?: string,
  messages: PromptMessage[] = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ],
): RenderedPrompt => {
  if (!user) messages.pop()
  if (!system) messages.shift()
  return { system, user, text: text ?? system + join + user, messages }
}
