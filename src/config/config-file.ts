import { join } from 'node:path'
import { PromptsError } from '../errors/prompts-error.ts'
import { readText } from '../fs/files.ts'
import { defineConfig } from './options.ts'

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
export function readConfigFile(folder: string, name: string): Promise<ConfigFile | undefined> {
  return readWith(evaluate, folder, name)
}

/** Reads the configuration file of a folder. */
export type ReadConfigFile = typeof readConfigFile

/**
 * Creates a reader that evaluates a file only once while its text stays the same: several builds of one
 * app share what it exports, and what it prints appears once.
 */
export function createConfigReader(): ReadConfigFile {
  const evaluated = new Map<string, Promise<unknown>>()
  const evaluateOnce: Evaluate = (code, path) => {
    const key = JSON.stringify([path, code])
    const options = evaluated.get(key) ?? evaluate(code, path)
    evaluated.set(key, options)
    // What failed may be fixed in a file that it imports.
    options.catch(() => evaluated.delete(key))
    return options
  }
  return (folder, name) => readWith(evaluateOnce, folder, name)
}

type Evaluate = (code: string, path: string) => Promise<unknown>

async function readWith(
  evaluateFile: Evaluate,
  folder: string,
  name: string,
): Promise<ConfigFile | undefined> {
  for (const path of configPaths(folder, name)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- nothing is read after the first that exists
      const code = await readText(path)
      // oxlint-disable-next-line no-await-in-loop
      if (code !== undefined) return { path, options: await evaluateFile(code, path) }
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
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    // What a configuration imports of this package. The package itself would load all of unplugin.
    virtualModules: { 'unplugin-prompts': { defineConfig, PromptsError } },
  })
  const module = await jiti.evalModule(code, { filename, async: true, forceTranspile: true })
  const { default: options = module } = Object(module) as { readonly default?: unknown }
  if (options === null) throw new TypeError('The default export is null.')
  return options
}
