/** The value of a variable; inserted with `String(value)`. */
export type PromptValue = string | number | boolean | bigint

/**
 * The types of variables that the app owns, by name and for all prompts. A file that adds to it needs an import or
 * an export; without one it replaces this module.
 *
 * @example
 * export {}
 * declare module 'unplugin-prompts/runtime' {
 *   interface VariableTypes {
 *     tone: 'calm' | 'formal'
 *   }
 * }
 */
export interface VariableTypes {}

/** In a mapped type, so that editors show the comments of the app. */
type OwnTypes = { [Name in keyof VariableTypes]: VariableTypes[Name] & PromptValue }

/**
 * Variables with the types that the app owns. Editors know both declarations of a variable. A prompt costs a compiler
 * 5 to 8 more instantiations, and none where the app owns no types.
 */
type Typed<Variables> = keyof Variables & keyof OwnTypes extends never
  ? Variables
  : Variables & Pick<OwnTypes, keyof Variables & keyof OwnTypes>

/** The texts of a prompt that are not empty. */
export type PromptRole = 'system' | 'user'

/**
 * One message for a model. A type alias, because LangChain requires an index signature; a union by role,
 * because the SDKs type each role separately.
 */
export type PromptMessage<Role extends PromptRole = PromptRole> = Role extends unknown
  ? { role: Role; content: string }
  : never

/** A prompt with its variables filled in. */
export interface RenderedPrompt {
  /** System text. */
  system: string
  /** User text; empty if the prompt has none. */
  user: string
  /** System and user text, joined as the service joins them. */
  text: string
  /** System and user message; an empty one is left out. A new array for every call. */
  messages: PromptMessage[]
}

/** What code relies on: a change of it can stop an app from compiling. */
export interface PromptContract {
  /** The prompt's name in the workspace. */
  slug: string
  /** The model it was written for. */
  model: string
  /** The texts that are not empty. */
  roles: PromptRole
  /** One property for each variable. */
  variables: object
}

/** What every prompt has. */
interface PromptFields {
  /** The prompt's name in the workspace. */
  readonly slug: string
  /** Folder in the workspace. */
  readonly folder: string
  /** The model it was written for: a hint for people, which no adapter sends. */
  readonly model: string
  /** The temperature it was written for: a suggestion, which no adapter sends. `null` if there is none. */
  readonly temperature: number | null
  /** Label of the pinned version, such as `v22`. */
  readonly version: string
  /** `test` for a staging version. */
  readonly environment: 'live' | 'test'
  /** The names that `render` needs, by first appearance in the text. */
  readonly variables: readonly string[]
  /** System and user text as stored, with their tokens. */
  readonly source: string
  /** System text as stored, with its tokens. */
  readonly systemSource: string
  /** User text as stored, with its tokens; empty if there is none. */
  readonly userSource: string
}

/**
 * Any prompt. Its fields can be read. It is rendered with the arguments that the caller passes:
 *
 * @example
 * function ask<P extends AnyPrompt>(prompt: P, ...args: RenderArguments<P>): Promise<string> {
 *   return send(prompt.model, prompt.render(...args).messages)
 * }
 *
 * await ask(prompts.supportTriage, { ticket })
 */
export interface AnyPrompt extends PromptFields {
  /**
   * Inserts the values verbatim, in one pass.
   *
   * @throws PromptVariableError if a variable is missing or not a string, number, boolean or bigint
   */
  readonly render: (...args: RenderArguments<this>) => RenderedPrompt
}

/** One pinned prompt with its contract. */
export interface Prompt<Contract extends PromptContract> extends PromptFields {
  /** The prompt's name in the workspace. */
  readonly slug: Contract['slug']
  /** The model it was written for: a hint for people, which no adapter sends. */
  readonly model: Contract['model']
  /** The names that `render` needs, by first appearance in the text. */
  readonly variables: readonly (keyof Contract['variables'] & string)[]
  /**
   * Inserts the values verbatim, in one pass.
   *
   * @throws PromptVariableError if a variable is missing or not a string, number, boolean or bigint
   */
  readonly render: Render<Contract['variables']>
}

/**
 * A function with a parameter instead of a rest. Of a union of prompts, TypeScript 5.4 refuses every
 * call of functions with a rest, and TypeScript 5.9 and newer accept one without arguments. It asks for the
 * variables themselves and infers nothing, since a compiler does this for each prompt that an app calls.
 */
type Render<Variables> = [keyof Variables] extends [never]
  ? () => RenderedPrompt
  : (variables: string extends keyof Variables ? never : Typed<Variables>) => RenderedPrompt

/** The contract of a prompt; `never` if it is unknown, as that of {@link AnyPrompt}. */
export type ContractOf<P extends AnyPrompt> = P extends unknown
  ? string extends P['variables'][number]
    ? never
    : P extends Prompt<infer Contract>
      ? Contract
      : never
  : never

/**
 * The values that a prompt needs, as an object; for a union of prompts, those that all need together.
 *
 * @example const values: VariablesOf<typeof prompts.supportTriage> = { ticket, tone }
 */
export type VariablesOf<P extends AnyPrompt> = [
  P extends unknown ? (variables: Typed<ContractOf<P>['variables']>) => void : never,
] extends [(variables: infer Variables) => void]
  ? Variables
  : never

/**
 * The arguments of `render`: none for a prompt without variables. A prompt with unknown variables, such as
 * {@link AnyPrompt}, can't be rendered.
 */
export type RenderArguments<P extends AnyPrompt> = [keyof VariablesOf<P>] extends [never]
  ? []
  : [variables: VariablesOf<P>]

/**
 * The model hint of a prompt, as a literal; for a union of prompts, the hints of all.
 *
 * @example
 * const MODELS = { 'gpt-5-mini': openai('gpt-5-mini') } satisfies Record<
 *   ModelOf<typeof prompts.supportTriage>,
 *   LanguageModel
 * >
 */
export type ModelOf<P extends AnyPrompt> = P['model']
