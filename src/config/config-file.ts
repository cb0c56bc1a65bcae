import { join } from 'node:path'
import { PromptsError } from '../errors/prompts-error.ts'
import { readText } from '../fs/files.ts'

/** The extensions that unconfig supports. */
const EXTENSIONS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json']

/** A configuration file's default export, not yet checked. */
export interface ConfigFile {
  readonly path: string
  readonly options: unknown
}

/**
 * Returns the possible paths of the configuration file. The first one that exists is used.
 *
 * @param name - name of the workspace, with which the file's name begins
 */
export function configPaths(folder: string, name: string): string[] {
  return configFileNames(name).map((file) => join(folder, file))
}

/** Returns the possible names of the configuration file of a workspace. */
export function configFileNames(name: string): string[] {
  return EXTENSIONS.map((extension) => `${name}.config.${extension}`)
}

/**
 * Loads `prompts.config.ts` (or another of {@link configFileNames}) from a folder. The loader is
 * only loaded if there is such a file.
 *
 * @param name - name of the workspace, with which the file's name begins
 * @returns `undefined` if there is none
 * @throws PromptsError CONFIG_UNREADABLE
 */
export async function readConfigFile(
  folder: string,
  name: string,
): Promise<ConfigFile | undefined> {
  for (const path of configPaths(folder, name)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- nothing is read after the first that exists
      const code = await readText(path)
      // oxlint-disable-next-line no-await-in-loop
      if (code !== undefined) return { path, options: await evaluate(code, path) }
    } catch (cause) {
      throw new PromptsError('CONFIG_UNREADABLE', { path }, { cause })
    }
  }
  return undefined
}

/**
 * Evaluates the text of a module. Node would import a JavaScript module only once and ignore later
 * changes, so it is always transpiled.
 */
async function evaluate(code: string, filename: string): Promise<unknown> {
  if (filename.endsWith('.json')) return JSON.parse(code)
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false })
  const module = await jiti.evalModule(code, { filename, async: true, forceTranspile: true })
  const { default: options = module } = Object(module) as { readonly default?: unknown }
  if (options === null) throw new TypeError('The default export is null.')
  return options
}
