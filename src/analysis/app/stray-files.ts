import { join } from 'node:path'
import { virtualModuleId } from '../../core/workspace-name.ts'
import { toForwardSlashes } from '../../fs/paths.ts'
import { type AppConfig, STRAY_CONFIG } from './app-configs.ts'
import { ts } from './compiler.ts'
import { toCompiledName, COMPONENTS, readCode } from './components.ts'
import { generatedFolder } from './generated-folder.ts'

const EXTENSIONS = ['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx']
const IGNORED = ['**/node_modules', '**/dist', '**/build', '**/out', '**/coverage', '**/.*']

interface PromptSource {
  /** Name of the workspace. */
  readonly name: string
  /** The folder with generated modules, if it is known. */
  readonly outDir: string | undefined
  /** Whether a file belongs to another app. */
  readonly isForeign: (path: string) => boolean
}

/**
 * Returns the files below a folder that no tsconfig includes, such as those of an app in plain JavaScript.
 *
 * @returns an empty array unless one of them imports prompts, or a file that imports them
 */
export function strayFiles(
  root: string,
  configs: readonly AppConfig[],
  source: PromptSource,
): string[] {
  const included = new Set(configs.flatMap(({ fileNames }) => fileNames))
  const outputs = configs.flatMap(({ options }) => options.outDir ?? [])
  const strays = ts.sys
    .readDirectory(root, [...EXTENSIONS, ...COMPONENTS], IGNORED, ['**/*'])
    .filter((path) => !source.isForeign(path))
    .map(toCompiledName)
    .filter((path) => !included.has(path) && !path.endsWith('.d.ts'))
    .filter((path) => !outputs.some((folder) => path.startsWith(`${folder}/`)))
    .filter((path) => generatedFolder(fileAt(path), source.name) === undefined)
  if (strays.length === 0) return []
  const importers = new Set(
    configs.flatMap(({ fileNames, options }) =>
      fileNames.filter((path) => importsPrompts(path, options, source)),
    ),
  )
  const isUser = (path: string): boolean =>
    importsPrompts(path, STRAY_CONFIG.options, source) || importsOneOf(path, importers)
  return strays.some(isUser) ? strays : []
}

function fileAt(path: string): { readonly fileName: string; readonly text: string } {
  return { fileName: path, text: readCode(path) ?? '' }
}

/** Whether a file names `virtual:prompts`, or imports a generated module. */
function importsPrompts(
  path: string,
  options: ts.CompilerOptions,
  { name, outDir }: PromptSource,
): boolean {
  if (path.endsWith('.d.ts')) return false
  const { text } = fileAt(path)
  if (text.includes(virtualModuleId(name))) return true
  const folder = outDir === undefined ? undefined : `${toForwardSlashes(outDir)}/`
  return ts.preProcessFile(text).importedFiles.some(({ fileName: specifier }) => {
    if (folder !== undefined && specifier.startsWith('.'))
      if (candidates(path, specifier).some((file) => file.startsWith(folder))) return true
    // Other specifiers name packages, whose resolution takes long.
    if (!/^(?:[.#~]|@\/)/.test(specifier)) return false
    const { resolvedModule } = ts.resolveModuleName(specifier, path, options, ts.sys)
    const file = resolvedModule?.resolvedFileName
    return file !== undefined && generatedFolder(fileAt(file), name) !== undefined
  })
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
