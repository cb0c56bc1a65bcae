import type { EnvSource } from './env-files.ts'
import { envVariable } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/prompts-error.ts'

/** Environment variables that a bundler exposes to browser code. */
export interface PublicVariables {
  /** The bundler's setting, such as `envPrefix`. */
  readonly setting: string
  /** The prefixes of their names. */
  readonly prefixes: readonly string[]
}

/** Prefixes of variables that bundlers and frameworks expose to browser code. */
const PUBLIC_PREFIX =
  /^(?:VITE_|NEXT_PUBLIC_|NUXT_PUBLIC_|PUBLIC_|REACT_APP_|VUE_APP_|EXPO_PUBLIC_|GATSBY_)/

/** What is checked before a key is used. */
export interface KeyContext {
  /** Name of the workspace. */
  readonly name: string
  readonly env: readonly EnvSource[]
  /** What the bundler exposes in addition to {@link PUBLIC_PREFIX}. */
  readonly published: PublicVariables
}

/** The variables of keys: the key for pulls, and the keys that the page compares environments with. */
const KEY_SETTINGS = ['API_KEY', 'LIVE_API_KEY', 'TEST_API_KEY']

/**
 * Checks that no variable that is exposed to browser code contains the key, and that no prefix of the
 * bundler exposes a variable of a key, set or not: once it is set, for example in CI, the app would
 * contain it.
 *
 * @throws PromptsError KEY_PUBLISHED, PREFIX_PUBLISHES_KEY
 */
export function assertKeysHidden(
  key: string | undefined,
  { name: workspace, env, published: { setting, prefixes } }: KeyContext,
): void {
  const variables = KEY_SETTINGS.map((each) => envVariable(workspace, each))
  for (const prefix of prefixes) {
    const variable = variables.find((each) => each.startsWith(prefix))
    if (variable !== undefined)
      throw new PromptsError('PREFIX_PUBLISHES_KEY', { setting, prefix, variable })
  }
  if (key === undefined) return
  for (const [variable, value] of env.flatMap(({ values }) => Object.entries(values))) {
    const isPublic =
      PUBLIC_PREFIX.test(variable) || prefixes.some((prefix) => variable.startsWith(prefix))
    if (value === key && isPublic) throw new PromptsError('KEY_PUBLISHED', { variable, workspace })
  }
}
