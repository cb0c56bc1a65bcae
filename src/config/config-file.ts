import { join } from 'node:path'
import { PromptsError } from '../errors/prompts-error.ts'
import { readText } from '../fs/files.ts'

/** Those of unconfig, which other tools of this kind read. */
const EXTENSIONS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json']

/** A configuration file's default export, not yet checked. */
export interface ConfigFile {
  readonly path: string
  readonly options: unknown
}

/**
 * The paths at which a configuration file may be, the first that exists wins.
 *
 * @param name - of the workspace: what the file's name begins with
 */
export function configPaths(folder: string, name: string): string[] {
  return configFileNames(name).map((file) => join(folder, file))
}

/** The names that the configuration file of a workspace may have. */
export function configFileNames(name: string): string[] {
  return EXTENSIONS.map((extension) => `${name}.config.${extension}`)
}

/**
 * Loads `prompts.config.ts` (or another of {@link configFileNames}) from a folder. The loader is only loaded
 * when there is such a file.
 *
 * @param name - of the workspace: what the file's name begins with
 * @returns `undefined` when there is none
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
 * Runs the text of a module. It is always transpiled: Node would import a JavaScript module once
 * and ignore its later changes.
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
