import type { EnvSource } from './env-files.ts'
import { envVariable } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/prompts-error.ts'

/** Variables that a bundler puts into the code of the app. */
export interface PublicVariables {
  /** The setting that says so, such as `envPrefix`. */
  readonly setting: string
  /** What their names begin with. */
  readonly prefixes: readonly string[]
}

/** Prefixes of variables that bundlers and frameworks put into the browser's code. */
const PUBLIC_PREFIX =
  /^(?:VITE_|NEXT_PUBLIC_|NUXT_PUBLIC_|PUBLIC_|REACT_APP_|VUE_APP_|EXPO_PUBLIC_|GATSBY_|FARM_)/

/** What is looked at before a key is used. */
export interface KeyContext {
  /** Of the workspace. */
  readonly name: string
  readonly env: readonly EnvSource[]
  /** What the bundler puts into code beside what {@link PUBLIC_PREFIX} says. */
  readonly published: PublicVariables
}

/**
 * Refuses a key that is also in a variable which ends up in the browser's code.
 *
 * @throws PromptsError KEY_PUBLISHED
 */
export function assertKeyNotPublished(
  key: string,
  { name: workspace, env, published: { prefixes } }: KeyContext,
): void {
  for (const { values } of env) {
    for (const [variable, value] of Object.entries(values)) {
      const isPublic =
        PUBLIC_PREFIX.test(variable) || prefixes.some((each) => variable.startsWith(each))
      if (value === key && isPublic)
        throw new PromptsError('KEY_PUBLISHED', { variable, workspace })
    }
  }
}

/** The keys of a workspace: the one it reads with, and the other one, which the page compares by. */
const KEY_SETTINGS = ['API_KEY', 'LIVE_API_KEY', 'TEST_API_KEY']

/**
 * Refuses a bundler's prefix that the variables of keys begin with. Also where none of them is set:
 * where one is, the app's code would hold it.
 *
 * @throws PromptsError PREFIX_PUBLISHES_KEY
 */
export function assertPrefixesHideKeys(
  { setting, prefixes }: PublicVariables,
  workspace: string,
): void {
  const variables = KEY_SETTINGS.map((key) => envVariable(workspace, key))
  for (const prefix of prefixes) {
    const variable = variables.find((each) => each.startsWith(prefix))
    if (variable !== undefined)
      throw new PromptsError('PREFIX_PUBLISHES_KEY', { setting, prefix, variable })
  }
}
