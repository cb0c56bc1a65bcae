import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errorCode } from '../errors/error-code.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { readText } from '../fs/files.ts'
import { ancestorFolders } from '../fs/paths.ts'
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
 * @param name - name of the workspace; the file's name begins with it
 */
export function configPaths(folder: string, name: string): string[] {
  return configFileNames(name).map((file) => join(folder, file))
}

/** Returns the possible names of the configuration file of a workspace. */
export function configFileNames(name: string): string[] {
  return EXTENSIONS.map((extension) => `${name}.config.${extension}`)
}

/** The results of evaluated files, by path and text. */
export type ConfigCache = Map<string, Promise<unknown>>

/**
 * Loads `prompts.config.ts` (or another of {@link configFileNames}) from a folder. The loader is
 * only loaded if there is such a file.
 *
 * @param name - name of the workspace; the file's name begins with it
 * @param cache - shared by several builds of one app: a file is evaluated once while its text stays
 *   the same, so the builds share what it exports, and what it prints appears once
 * @returns `undefined` if there is none
 * @throws PromptsError CONFIG_UNREADABLE
 */
export async function readConfigFile(
  folder: string,
  name: string,
  cache: ConfigCache = new Map(),
): Promise<ConfigFile | undefined> {
  for (const path of configPaths(folder, name)) {
    try {
      const code = await readText(path)
      if (code !== undefined) return { path, options: await evaluateOnce(code, path, cache) }
    } catch (cause) {
      throw new PromptsError('CONFIG_UNREADABLE', { path }, { cause })
    }
  }
  return undefined
}

function evaluateOnce(code: string, path: string, cache: ConfigCache): Promise<unknown> {
  const key = JSON.stringify([path, code])
  const options = cache.get(key) ?? evaluate(code, path)
  cache.set(key, options)
  // What failed may be fixed in a file that it imports.
  options.catch(() => cache.delete(key))
  return options
}

async function evaluate(code: string, path: string): Promise<unknown> {
  if (path.endsWith('.json')) return JSON.parse(code)
  const isNative = !NEEDS_JITI.test(code) && (await isNodeModule(path))
  const options = await (isNative ? importAgain(code, path) : compile(code, path))
  if (options === null) throw new TypeError('The default export is null.')
  return options
}

/** CommonJS, and imports of files: Node caches both and would ignore later changes. */
const NEEDS_JITI =
  /\b(?:require|module|exports|__filename|__dirname)\b|\b(?:import|from)\b[\s(]*['"`][./#]/

/** Whether Node itself evaluates a file as an ES module, without a warning about a missing type. */
async function isNodeModule(path: string): Promise<boolean> {
  const [, format, language] = /\.(m?)([jt])s$/.exec(path) ?? []
  if (language === undefined) return false
  if (language === 't' && !Reflect.get(process.features, 'typescript')) return false
  if (format === 'm') return true
  for (const folder of ancestorFolders(dirname(path))) {
    const manifest = await readText(join(folder, 'package.json'))
    if (manifest !== undefined) return /"type"\s*:\s*"module"/.test(manifest)
  }
  return false
}

/** Imports a file anew, by a query, because Node imports an address only once. */
async function importAgain(code: string, path: string): Promise<unknown> {
  try {
    const module: unknown = await import(`${pathToFileURL(path)}?${randomUUID()}`)
    return defaultExport(module)
  } catch (error) {
    // Nothing has run yet: an enum, an alias of tsconfig.json, or this package is not installed.
    if (error instanceof SyntaxError || errorCode(error).startsWith('ERR_')) {
      return compile(code, path)
    }
    throw error
  }
}

async function compile(code: string, filename: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    // What a configuration imports of this package. The package itself would load all of unplugin.
    virtualModules: { 'unplugin-prompts': { defineConfig, PromptsError } },
  })
  const module = await jiti.evalModule(code, { filename, async: true, forceTranspile: true })
  return defaultExport(module)
}

function defaultExport(module: unknown): unknown {
  const { default: options = module } = Object(module) as { readonly default?: unknown }
  return options
}
