import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { createFilesMatcher, parseTsconfig } from 'get-tsconfig'
import { relativePath, toForwardSlashes } from '../../fs/paths.ts'
import { visitTsconfigs } from '../../fs/tsconfig.ts'

/**
 * What to do if TypeScript does not read the declarations: no tsconfig of the app includes them.
 *
 * @param root - of the app, absolute
 * @param dts - absolute
 * @param name - of the workspace
 * @returns `undefined` if one does, or the app has no readable tsconfig
 */
export function declarationsAdvice(root: string, dts: string, name: string): string | undefined {
  if (areDeclarationsIncluded(root, dts)) return undefined
  const folder = declarationsFolder(root) ?? ''
  return folder === ''
    ? `Add ${relativePath(root, dts)} to \`include\` in tsconfig.json.`
    : `Set \`dts: '${folder}/${basename(dts)}'\` in ${name}.config.ts.`
}

/** A tsconfig that includes only `src` misses a file in the root. */
function areDeclarationsIncluded(root: string, dts: string): boolean {
  const configs = readTsconfigs(root)
  if (configs.length === 0 || configs.some((config) => matches(config, dts))) return true
  // `/// <reference path="…" />`, as in `vite-env.d.ts`.
  return [root, ...configs.flatMap(namedFolders)].some((folder) =>
    declarationFiles(folder).some((file) => hasReferenceTo(file, dts)),
  )
}

/** Whether the patterns of a tsconfig of the app include a file; `false` if one can't be read. */
export function isIncluded(root: string, file: string): boolean {
  return readTsconfigs(root).some((config) => matches(config, file))
}

/**
 * Whether TypeScript finds what `imports` in package.json names, with each tsconfig of the app. What
 * follows from other settings of `module` depends on the version.
 */
export function resolvesImports(root: string): boolean {
  return readTsconfigs(root).every(({ config: { compilerOptions = {} } }) => {
    const { module = '', moduleResolution = module } = compilerOptions
    return /^(?:node(?:next|\d\d)|bundler|preserve)$/i.test(moduleResolution)
  })
}

/**
 * The folder in which most tsconfig files of an app include a declaration file, such as `src`.
 *
 * @param root - absolute
 * @returns `''` for the root, unless another folder is better; `undefined` if the app has no
 *   readable tsconfig
 */
export function declarationsFolder(root: string): string | undefined {
  const configs = readTsconfigs(root)
  if (configs.length === 0) return undefined
  const inside = configs
    .flatMap(namedFolders)
    .map((folder) => relativePath(root, folder))
    .filter((folder) => !/^\.|(?:^|\/)node_modules(?:\/|$)/.test(folder))
  const countMatches = (folder: string): number =>
    configs.filter((config) => matches(config, join(root, folder, 'prompts.d.ts'))).length
  return ['', ...inside].reduce((best, folder) =>
    countMatches(folder) > countMatches(best) ? folder : best,
  )
}

/** A tsconfig, merged with those that it extends. */
interface Tsconfig {
  /** Absolute. */
  readonly path: string
  readonly config: ReturnType<typeof parseTsconfig>
}

/**
 * Reads the app's tsconfig (or jsconfig) and those that it references. Loads no TypeScript.
 *
 * @returns an empty array if the app has none, or if one is missing, such as one that a framework
 *   generates
 */
function readTsconfigs(root: string): Tsconfig[] {
  const configs: Tsconfig[] = []
  const visit = (path: string): string[] => {
    const config = parseTsconfig(path)
    configs.push({ path, config })
    return (config.references ?? []).map((reference) => {
      const target = resolve(dirname(path), reference.path)
      return target.endsWith('.json') ? target : join(target, 'tsconfig.json')
    })
  }
  try {
    visitTsconfigs(root, visit)
  } catch {
    return []
  }
  return configs
}

function matches(tsconfig: Tsconfig, file: string): boolean {
  return createFilesMatcher(tsconfig)(file) !== undefined
}

/** The folders before the first wildcard of each pattern, such as `src` for `src/**\/*.ts`. */
function namedFolders({ path, config: { include = [] } }: Tsconfig): string[] {
  return include.map((pattern) => join(dirname(path), pattern.replace(/\/?[^/]*[*?].*$/, '')))
}

function declarationFiles(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  const files = stats?.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : []
  return [...files, ...(stats?.isFile() ? [path] : [])].filter((file) => file.endsWith('.d.ts'))
}

function hasReferenceTo(file: string, target: string): boolean {
  const references = readFileSync(file, 'utf8').matchAll(/^\/\/\/\s*<reference\s+path="(.*?)"/gm)
  return [...references].some(
    ([, path = '']) => toForwardSlashes(join(dirname(file), path)) === toForwardSlashes(target),
  )
}
