import type { EnvSource, Published } from './env.ts'
import { variableOf } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/catalogue.ts'

/** Prefixes of variables that bundlers and frameworks put into the browser's code. */
const PUBLIC =
  /^(?:VITE_|NEXT_PUBLIC_|NUXT_PUBLIC_|PUBLIC_|REACT_APP_|VUE_APP_|EXPO_PUBLIC_|GATSBY_|FARM_)/

/** What is looked at before a key is used. */
export interface KeySurroundings {
  /** Of the workspace. */
  readonly name: string
  readonly env: readonly EnvSource[]
  /** What the bundler puts into code beside what {@link PUBLIC} says. */
  readonly published: Published
}

/**
 * Refuses a key that is also in a variable which ends up in the browser's code.
 *
 * @throws PromptsError KEY_PUBLISHED
 */
export function refusePublishedKey(
  key: string,
  { name: workspace, env, published: { prefixes } }: KeySurroundings,
): void {
  for (const { values } of env) {
    for (const [variable, value] of Object.entries(values)) {
      const isPublic = PUBLIC.test(variable) || prefixes.some((each) => variable.startsWith(each))
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
export function refusePublicPrefixes({ setting, prefixes }: Published, workspace: string): void {
  const variables = KEY_SETTINGS.map((key) => variableOf(workspace, key))
  for (const prefix of prefixes) {
    const variable = variables.find((each) => each.startsWith(prefix))
    if (variable !== undefined)
      throw new PromptsError('PREFIX_PUBLISHES_KEY', { setting, prefix, variable })
  }
}
