import type { Prompt, RenderedPrompt } from './types.ts'
import { PromptVariableError } from './variable-error.ts'

/**
 * A prompt's texts as concatenations of literals and slots, handed to `compose`. Called with
 * values it gives the rendered prompt, with the raw tokens the stored one: a bundle holds every
 * text once.
 */
export type PromptBody = (slots: readonly unknown[], compose: Compose) => RenderedPrompt

/**
 * Puts a prompt together.
 *
 * @param join - what stands between system and user in the whole text
 * @param text - the whole text, where it is no join of the two
 */
type Compose = (system: string, user: string, join: string, text?: string) => RenderedPrompt

/**
 * Makes a prompt from the data in the generated module; only generated code calls it. Its
 * parameters are positional, so that a prompt costs an app few bytes beside its text.
 *
 * @param tokens - the distinct spellings of the prompt's tokens, one for each slot
 * @param pick - reads the value for each slot from the app's variables
 */
export function definePrompt(
  slug: string,
  folder: string,
  model: string,
  temperature: number,
  version: string,
  environment: Prompt['environment'],
  body: PromptBody,
  tokens: readonly string[],
  pick: (variables: Readonly<Record<string, unknown>>) => unknown[],
): Prompt {
  const stored = body(tokens, compose)
  return Object.freeze({
    slug,
    folder,
    model,
    temperature,
    version,
    environment,
    variables: namesOf(tokens),
    source: stored.text,
    systemSource: stored.system,
    userSource: stored.user,
    render(variables?: Readonly<Record<string, unknown>> | null) {
      const slots = pick(variables ?? {})
      if (slots.every(isValue)) return body(slots, compose)
      const missing = namesOf(tokens.filter((_, index) => !isValue(slots[index])))
      throw new PromptVariableError(slug, version, missing)
    },
  })
}

/** Array literals and no `push` or `filter`: this is the hot path of `render` (DESIGN section 6). */
const compose: Compose = (system, user, join, text = system + join + user) => ({
  system,
  user,
  text,
  messages: system
    ? user
      ? [message('system', system), message('user', user)]
      : [message('system', system)]
    : user
      ? [message('user', user)]
      : [],
})

/** One function for both roles: of two, neither would be compiled into `render`. */
function message<Role extends string>(
  role: Role,
  content: string,
): { role: Role; content: string } {
  return { role, content }
}

function namesOf(tokens: readonly string[]): readonly string[] {
  return [...new Set(tokens.map((token) => token.slice(2, -2).trim()))]
}

function isValue(value: unknown): boolean {
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'bigint'
}
