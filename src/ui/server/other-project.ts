import type { Environment } from '../../core/prompt.ts'
import { readEnvironment } from '../../io/env-files.ts'
import { openProject, type Project, type ProjectSettings } from '../../project.ts'

/** Where a second key is looked up, by what it serves. */
const VARIABLES: Readonly<Record<Environment, string>> = {
  live: 'PROMPTS_LIVE_API_KEY',
  test: 'PROMPTS_TEST_API_KEY',
}

/**
 * The same project as its other key sees it, so that live can be held against staging.
 *
 * @returns `undefined` where there is no second key
 * @throws PromptsError what {@link openProject} throws
 */
export async function openOtherProject(
  { options }: Pick<Project, 'options'>,
  { envDir, mode }: { readonly envDir: string; readonly mode: string },
): Promise<Project | undefined> {
  const environment = options.environment === 'live' ? 'test' : 'live'
  const env = await readEnvironment(envDir, mode, options.processEnv)
  const apiKey = env
    .map(({ values }) => values[VARIABLES[environment]])
    .find((value) => value !== undefined && value !== '')
  if (apiKey === undefined) return undefined
  const { root, baseUrl, concurrency, timeout, processEnv } = options
  const inline: ProjectSettings['options'] = {
    apiKey,
    environment,
    concurrency,
    timeout,
    dts: false,
  }
  if (baseUrl !== undefined) inline.baseUrl = baseUrl
  return openProject({ root, envDir, mode, options: inline, processEnv, warn: () => undefined })
}
