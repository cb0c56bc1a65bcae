import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import module from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { types } from 'node:util'
import { isRecord } from '../core/schema.ts'
import { redact, secretForms } from '../core/secrets.ts'
import { PACKAGE_NAME } from '../core/workspace-name.ts'
import { copyError, errorCode, isPromptsError, PromptsError } from '../errors/prompts-error.ts'
import { readText } from '../fs/files.ts'
import { findsPackage } from '../fs/installed-version.ts'
import { ancestorFolders } from '../fs/paths.ts'
import { defineConfig } from './options.ts'

/** The extensions that unconfig supports. */
const EXTENSIONS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json']

/**
 * Returns the possible paths of the configuration file. The first one that exists is used; see
 * {@link readConfigFile} for one beside JSON.
 *
 * @param name - name of the workspace; the file's name begins with it
 */
export function configPaths(folder: string, name: string): string[] {
  return configFileNames(name).map((file) => join(folder, file))
}

export function configFileNames(name: string): string[] {
  return EXTENSIONS.map((extension) => `${name}.config.${extension}`)
}

/** The last result of each evaluated file, by its path. */
export type ConfigCache = Map<string, { readonly from: string; readonly options: Promise<unknown> }>

/**
 * Loads `prompts.config.ts` (or another of {@link configFileNames}) from a folder. The loader is
 * only loaded if there is such a file. A second one in JSON is an error: `init` may have written it, and it
 * would be ignored.
 *
 * @param name - name of the workspace; the file's name begins with it
 * @param cache - shared by several builds of one app: a file is evaluated once while its text and the environment of
 *   the process stay the same, so the builds share what it exports, and what it prints appears once
 * @returns its default export, not yet checked; `undefined` if there is none
 */
export async function readConfigFile(
  folder: string,
  name: string,
  cache: ConfigCache = new Map(),
): Promise<{ readonly path: string; readonly options: unknown } | undefined> {
  const json = join(folder, `${name}.config.json`)
  for (const path of configPaths(folder, name)) {
    const code = await readText(path).catch(unreadable(path))
    if (code === undefined) continue
    if (path !== json && existsSync(json)) {
      const problem = `${basename(json)}, which \`init\` may have written, has options too: keep one of the two files`
      throw new PromptsError('OPTIONS_INVALID', { source: path, problems: [problem] })
    }
    return { path, options: await evaluateOnce(code, path, cache).catch(unreadable(path, code)) }
  }
  return undefined
}

function unreadable(path: string, code = ''): (cause: unknown) => never {
  return (error) => {
    const cause = isPromptsError(error) ? error : copyError(error, masked(code))
    throw new PromptsError('CONFIG_UNREADABLE', { path }, { cause })
  }
}

/** Nobody knows yet which variables are secrets, so each one that the code names counts. */
function masked(code: string): (text: string) => string {
  const words = new Set(code.match(/\w+/g))
  const values = Object.entries(process.env).filter(([name]) => words.has(name))
  // A stack is masked by lines.
  const texts = values.flatMap(([, value = '']) => [value, ...value.split('\n')])
  const secrets = texts.flatMap(secretForms)
  return (text) => redact(text, secrets)
}

function evaluateOnce(code: string, path: string, cache: ConfigCache): Promise<unknown> {
  const from = JSON.stringify([code, process.env])
  const last = cache.get(path)
  if (last?.from === from) return last.options
  const options = evaluate(code, path)
  cache.set(path, { from, options })
  // What failed may be fixed in a file that it imports.
  options.catch(() => cache.delete(path))
  return options
}

/**
 * Node itself evaluates what it can, because loading jiti takes five times as long. The code runs once, whatever it
 * throws: only what has not begun is tried again.
 */
async function evaluate(code: string, path: string): Promise<unknown> {
  if (path.endsWith('.json')) return JSON.parse(code)
  if (registerHooks === undefined && isPlain(code, path))
    return defaultExport(await import(`${pathToFileURL(path)}?${randomUUID()}`))
  for (const format of nodeFormats(code, path)) {
    // By a query, because Node imports an address only once.
    const address = `${pathToFileURL(path)}?${randomUUID()}`
    // On the first line, so that the lines of errors are those of the file.
    const marked = `globalThis[Symbol.for(${JSON.stringify(address)})] = true; ${code}`
    try {
      return await importAs(format, marked, address)
    } catch (error) {
      if (Reflect.has(globalThis, Symbol.for(address))) throw error
      // Types, an enum, an alias of tsconfig.json, or this package is not installed.
      if (!(error instanceof SyntaxError) && !errorCode(error).startsWith('ERR_')) throw error
    } finally {
      Reflect.deleteProperty(globalThis, Symbol.for(address))
    }
  }
  return compile(code, path)
}

/** CommonJS, and imports of files: Node caches both and would ignore later changes. */
const NEEDS_JITI =
  /\b(?:require|module|exports|__filename|__dirname)\b|\b(?:import|from)\b[\s(]*['"`][./#]/

/** Node 22.15 or newer. */
const { registerHooks } = module as typeof module & {
  registerHooks?: (hooks: {
    load(url: string, context: unknown, next: (url: string, context: unknown) => object): object
  }) => { deregister(): void }
}

/** Whether Node loads a file without help. An error then is its own, and nothing is tried again. */
function isPlain(code: string, path: string): boolean {
  // Bun ignores the query of an address, and would import a file once.
  if ('bun' in process.versions || !path.endsWith('.mjs') || NEEDS_JITI.test(code)) return false
  const folder = dirname(path)
  return !code.includes(PACKAGE_NAME) || findsPackage(folder, PACKAGE_NAME, folder) === true
}

/**
 * The formats to load a file in, in this order. Most configurations have no types, and Node's removal of
 * types takes longer to load than all of `prompts list`. Type arguments may parse as comparisons.
 */
function nodeFormats(code: string, path: string): string[] {
  if (registerHooks === undefined || NEEDS_JITI.test(code) || /\.c[jt]s$/.test(path)) return []
  if (path.endsWith('js')) return ['module']
  return code.includes('<') ? ['module-typescript'] : ['module', 'module-typescript']
}

async function importAs(format: string, code: string, address: string): Promise<unknown> {
  const hooks = registerHooks?.({
    load: (url, context, next) =>
      url === address ? { format, source: code, shortCircuit: true } : next(url, context),
  })
  try {
    return defaultExport(await import(address))
  } finally {
    hooks?.deregister()
  }
}

async function compile(code: string, filename: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    // This package where it is not installed.
    virtualModules: { 'unplugin-prompts': { defineConfig, PromptsError } },
  })
  return defaultExport(await jiti.evalModule(code, { filename, async: true, forceTranspile: true }))
}

/** CommonJS has no default export, but then it exports something. */
function defaultExport(exported: unknown): unknown {
  const has = (name: string): boolean => Object.hasOwn(Object(exported), name)
  // By its own property: jiti makes up a default export.
  if (has('default')) return (exported as { readonly default: unknown }).default
  const isEmpty = isRecord(exported) && Object.keys(exported).length === 0
  if (isEmpty || has('__esModule') || types.isModuleNamespaceObject(exported))
    throw new Error('It has no default export.')
  return exported
}

/**
 * Returns the folder of the project that a folder belongs to: the nearest one, from there up, with a
 * `package.json`, a lock or a configuration file of the workspace. Bundlers often run in a folder below it
 * (`root: 'client'` in Vite, `app` in Nuxt).
 *
 * @param from - absolute
 * @param name - of the workspace
 * @returns `from` if there is none
 */
export async function findProjectFolder(from: string, name: string): Promise<string> {
  for (const folder of ancestorFolders(from)) {
    const files = await readdir(folder).catch((): string[] => [])
    if (files.includes('package.json') || hasWorkspace(files, name)) return folder
  }
  return from
}

/** Whether a folder with these files has the lock or a configuration file of a workspace. */
export function hasWorkspace(files: readonly string[], name: string): boolean {
  const own = new Set([`${name}.lock.json`, ...configFileNames(name)])
  return files.some((file) => own.has(file))
}
