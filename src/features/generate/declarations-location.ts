import { basename, dirname, join } from 'node:path'
import { createFilesMatcher } from 'get-tsconfig'
import { isPromptsError } from '../../errors/prompts-error.ts'
import { type AppConfig, readAppConfigs } from '../../analysis/app/app-configs.ts'
import { ts } from '../../analysis/app/compiler.ts'
import { relativePath, toForwardSlashes } from '../../fs/paths.ts'
import type { DeclarationsTarget } from './declarations.ts'

/**
 * What to do if TypeScript does not read the declarations: no tsconfig of the app includes them.
 *
 * @returns `undefined` if one does, or the app has no readable tsconfig
 */
export function declarationsAdvice({
  root,
  dts,
  name,
}: Pick<DeclarationsTarget, 'root' | 'dts'> & { readonly name: string }): string | undefined {
  if (areDeclarationsIncluded({ root, dts })) return undefined
  const folder = declarationsFolder(root) ?? ''
  return folder === ''
    ? `Add ${relativePath(root, dts)} to \`include\` in tsconfig.json.`
    : `Set \`dts: '${folder}/${basename(dts)}'\` in ${name}.config.ts.`
}

/**
 * Whether a tsconfig of the app includes the declarations. One that includes only `src` misses a
 * file in the root.
 *
 * @returns also `true` if the app has no readable tsconfig
 */
export function areDeclarationsIncluded({
  root,
  dts,
}: Pick<DeclarationsTarget, 'root' | 'dts'>): boolean {
  const files = readConfigs(root)?.flatMap(({ fileNames }) => fileNames) ?? []
  const wanted = toForwardSlashes(dts)
  return (
    files.length === 0 ||
    files.includes(wanted) ||
    files.some((file) => hasReferenceTo(file, wanted))
  )
}

/** Whether a file has `/// <reference path="…" />` to the declarations, as in `vite-env.d.ts`. */
function hasReferenceTo(file: string, wanted: string): boolean {
  if (!file.endsWith('.d.ts') || file.includes('/node_modules/')) return false
  const { referencedFiles } = ts.preProcessFile(ts.sys.readFile(file) ?? '', false)
  return referencedFiles.some(
    ({ fileName }) => toForwardSlashes(join(dirname(file), fileName)) === wanted,
  )
}

/**
 * The folder in which most tsconfig files of an app include a declaration file, such as `src`.
 *
 * @param root - absolute
 * @returns `''` for the root, unless another folder is better; `undefined` if the app has no
 *   readable tsconfig
 */
export function declarationsFolder(root: string): string | undefined {
  const configs = readConfigs(root)
  if (configs === undefined || configs.length === 0) return undefined
  const matchers = configs.map(({ path = '', patterns }) => {
    const { extends: _, ...config } = patterns
    return createFilesMatcher({ path, config })
  })
  const inside = configs
    .flatMap(namedFolders)
    .map((folder) => relativePath(root, folder))
    .filter((folder) => !/^\.|(?:^|\/)node_modules(?:\/|$)/.test(folder))
  const countMatches = (folder: string): number =>
    matchers.filter((find) => find(join(root, folder, 'prompts.d.ts')) !== undefined).length
  return ['', ...inside].reduce((best, folder) =>
    countMatches(folder) > countMatches(best) ? folder : best,
  )
}

/** The folders before the first wildcard of each pattern, such as `src` for `src/**\/*.ts`. */
function namedFolders({ path = '', patterns: { include = [] } }: AppConfig): string[] {
  return include.map((pattern) => join(dirname(path), pattern.replace(/\/?[^/]*[*?].*$/, '')))
}

/** `undefined` if one is missing, such as one that a framework generates. */
function readConfigs(root: string): AppConfig[] | undefined {
  try {
    return readAppConfigs(root)
  } catch (error) {
    if (isPromptsError(error)) return undefined
    throw error
  }
}
