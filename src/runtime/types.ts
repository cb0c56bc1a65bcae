/** The value of a variable; inserted with `String(value)`. */
export type PromptValue = string | number | boolean | bigint

/**
 * One message for a model. A type alias, because LangChain requires an index signature; a union by role,
 * because the SDKs type each role separately.
 */
export type PromptMessage = { role: 'system'; content: string } | { role: 'user'; content: string }

/** A prompt with its variables filled in. */
export type RenderedPrompt = {
  /** System text. */
  system: string
  /** User text; empty if the prompt has none. */
  user: string
  /** System and user text, joined as the service joins them. */
  text: string
  /** System and user message; an empty one is left out. A new array for every call. */
  messages: PromptMessage[]
}

/**
 * One value for each variable of a prompt.
 *
 * A variable called `__proto__` accepts no value, because `{ __proto__: value }` sets a prototype.
 */
export type PromptVariables<Variables extends string> = {
  readonly [Name in Variables]: Name extends '__proto__' ? never : PromptValue
}

/**
 * The arguments of `render`: none for a prompt without variables. A prompt with unknown variables, such as
 * {@link AnyPrompt}, can't be rendered.
 */
export type RenderArguments<Variables extends string> = [Variables] extends [never]
  ? []
  : [variables: true extends IsPattern<Variables> ? never : PromptVariables<Variables>]

/** Whether a name is `string` or a template such as `user.${string}`, which `{}` would satisfy. */
type IsPattern<Name extends string> = Name extends unknown
  ? {} extends Record<Name, unknown>
    ? true
    : false
  : never

/** One pinned prompt. */
export interface Prompt<
  Slug extends string = string,
  Version extends string = string,
  Variables extends string = string,
> {
  /** The prompt's name in the workspace. */
  readonly slug: Slug
  /** Folder in the workspace. */
  readonly folder: string
  /** The model it was written for. */
  readonly model: string
  /** The temperature it was written for. */
  readonly temperature: number
  /** Label of the pinned version, such as `v22`. */
  readonly version: Version
  /** Environment of the lock. */
  readonly environment: 'live' | 'test'
  /** The names that `render` needs, by first appearance in the text. */
  readonly variables: readonly Variables[]
  /** System and user text as stored, with their tokens. */
  readonly source: string
  /** System text as stored, with its tokens. */
  readonly systemSource: string
  /** User text as stored, with its tokens; empty if there is none. */
  readonly userSource: string
  /**
   * Inserts the values verbatim, in one pass.
   *
   * @throws PromptVariableError if a variable is missing or not a string, number, boolean or bigint
   */
  readonly render: (...args: RenderArguments<Variables>) => RenderedPrompt
}

/**
 * Any prompt. Its fields can be read. A function that renders it takes the variables as a type parameter,
 * so that the caller must pass them:
 *
 * @example
 * function ask<Variables extends string>(
 *   prompt: Prompt<string, string, Variables>,
 *   ...args: RenderArguments<Variables>
 * ): Promise<string> {
 *   return send(prompt.model, prompt.render(...args).messages)
 * }
 *
 * await ask(prompts.supportTriage, { ticket })
 * const versions = Object.values(prompts).map((prompt: AnyPrompt) => prompt.version)
 */
export type AnyPrompt = Prompt

/**
 * The names of a prompt's variables; for a union of prompts, the names of all.
 *
 * @example type TriageForm = PromptVariables<VariablesOf<typeof prompts.supportTriage>>
 */
export type VariablesOf<Any extends AnyPrompt> = Any['variables'][number]
