import type { AnyPrompt, PromptMessage, PromptValue, RenderedPrompt } from './types.ts'

// Every app contains this file, so it is written to be short when minified: functions are single
// expressions, and constants are defaults of parameters that no caller passes.

/** Thrown by `render` if values are missing or have another type; names all of these variables. */
export class PromptVariableError extends Error {
  override name = 'PromptVariableError'
  /** Slug of the prompt. */
  declare readonly slug: string
  /** Label of the pinned version. */
  declare readonly version: string
  /** The variables whose value is missing or not a string, number, boolean or bigint. */
  declare readonly missing: readonly string[]

  constructor(slug: string, version: string, missing: readonly string[]) {
    super(`${slug} ${version}: missing or invalid ${missing}`)
    this.slug = slug
    this.version = version
    this.missing = missing
  }
}

/**
 * Concatenates a prompt's texts from literals and the result of `slot` for each token. One `slot` returns
 * values and another the tokens themselves, so a bundle contains every text once.
 */
export type PromptBody = (values: Values, slot: Slot) => RenderedPrompt

/** The values that an app passes to `render`. */
type Values = Readonly<Record<string, unknown>>

/** Returns the text for a token such as `{{ ticket }}` and the value of its variable. */
type Slot = (token: string, value: unknown, values: Values) => PromptValue

/** Creates a prompt; called by generated code. Parameters are positional to keep bundles small; settings have the order of the lock. */
export const definePrompt = (
  slug: string,
  version: string,
  folder: string,
  model: string,
  temperature: number | null,
  environment: AnyPrompt['environment'],
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
): AnyPrompt =>
  Object.freeze({
    slug,
    version,
    folder,
    model,
    temperature,
    environment,
    variables,
    source: stored.text,
    systemSource: stored.system,
    userSource: stored.user,
    render: (values?: Values | null) => body(values ?? {}, insert),
  })

const isUsable = (value: unknown): value is PromptValue =>
  ['string', 'number', 'boolean', 'bigint'].includes(typeof value)

/**
 * Creates a rendered prompt; called by generated code. Most prompts have both texts, so the messages begin
 * as one literal, which is the fastest.
 *
 * @param join - the white space between system and user text
 * @param text - the whole text if it is not a join of the two
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
