import { envVariable } from '../../core/workspace-name.ts'
import { readEnvironment } from '../../config/env-files.ts'
import { openProject, type Project } from '../../features/project/project.ts'

/** The variable with the key of the other environment, such as `PROMPTS_TEST_API_KEY`. */
export function otherKeyVariable({ name, environment }: OtherKeyOptions): string {
  return envVariable(name, environment === 'live' ? 'TEST_API_KEY' : 'LIVE_API_KEY')
}

type OtherKeyOptions = Pick<Project['options'], 'name' | 'environment'>

/**
 * The same project with its other key, to compare live with staging.
 *
 * @returns `undefined` if there is no second key
 * @throws PromptsError what {@link openProject} throws
 */
export async function openOtherProject(
  { options }: Pick<Project, 'options'>,
  { envDir, mode }: { readonly envDir: string; readonly mode: string },
): Promise<Project | undefined> {
  const environment = options.environment === 'live' ? 'test' : 'live'
  const variable = otherKeyVariable(options)
  const env = await readEnvironment(envDir, mode, options.processEnv)
  const apiKey = env
    .map(({ values }) => values[variable])
    .find((value) => value !== undefined && value !== '')
  if (apiKey === undefined) return undefined
  const { root, name, baseUrl, concurrency, timeout, processEnv } = options
  const inline = { apiKey, environment, concurrency, timeout, dts: false } as const
  const other = await openProject({
    root,
    name,
    envDir,
    mode,
    options: baseUrl === undefined ? inline : { ...inline, baseUrl },
    processEnv,
    warn: () => undefined,
  })
  // The selection may come from the plugin call, which is not repeated here.
  return { ...other, options: { ...other.options, isSelected: options.isSelected } }
}
