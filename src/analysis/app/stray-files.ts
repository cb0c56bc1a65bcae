import { join } from 'node:path'
import { toForwardSlashes } from '../../fs/paths.ts'
import type { AppConfig } from './app-configs.ts'
import { ts } from './compiler.ts'
import { toCompiledName, COMPONENTS, readCode } from './components.ts'

const EXTENSIONS = ['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx']
const IGNORED = ['**/node_modules', '**/dist', '**/build', '**/out', '**/coverage', '**/.*']

/**
 * Returns the files below a folder that no tsconfig includes, such as those of an app in plain JavaScript.
 *
 * @param module - the specifier of the prompts
 * @returns an empty array unless one of them imports prompts, or a file that imports them
 */
export function strayFiles(root: string, configs: readonly AppConfig[], module: string): string[] {
  const included = new Set(configs.flatMap(({ fileNames }) => fileNames))
  const outputs = configs.flatMap(({ options }) => options.outDir ?? [])
  const strays = ts.sys
    .readDirectory(root, [...EXTENSIONS, ...COMPONENTS], IGNORED, ['**/*'])
    .map(toCompiledName)
    .filter((path) => !included.has(path) && !path.endsWith('.d.ts'))
    .filter((path) => !outputs.some((folder) => path.startsWith(`${folder}/`)))
  const importers = new Set([...included].filter((path) => mentionsModule(path, module)))
  return strays.some((path) => mentionsModule(path, module) || importsOneOf(path, importers))
    ? strays
    : []
}

function mentionsModule(path: string, module: string): boolean {
  return !path.endsWith('.d.ts') && (readCode(path)?.includes(module) ?? false)
}

function importsOneOf(path: string, files: ReadonlySet<string>): boolean {
  const { importedFiles } = ts.preProcessFile(readCode(path) ?? '')
  return importedFiles.some(
    ({ fileName }) =>
      fileName.startsWith('.') && candidates(path, fileName).some((c) => files.has(c)),
  )
}

/** Returns the possible files of a relative import. */
function candidates(from: string, specifier: string): string[] {
  const path = toForwardSlashes(join(from, '..', specifier))
  const bare = path.replace(/\.[cm]?[jt]sx?$/, '')
  return [
    path,
    ...EXTENSIONS.flatMap((extension) => [bare + extension, `${path}/index${extension}`]),
  ]
}
