import { rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isGenerated } from '../core/generated.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { failWriting } from './file-error.ts'
import { createFolderOf, readText, resolveWritable, type WriteResult, writeText } from './files.ts'

export interface GeneratedFile {
  /** Absolute. */
  readonly path: string
  readonly text: string
}

export interface FileReport<State> {
  /** Absolute. */
  readonly path: string
  readonly state: State
}

/** Whether a generated file matches the lock, without regard to line ends. */
export type FileState = 'current' | 'stale' | 'missing'

/** Checks that a path has no file that this package did not generate. */
export async function assertNotForeign(path: string): Promise<void> {
  if (await isForeign(path)) throw new PromptsError('FILE_FOREIGN', { path })
}

/** Whether a path has a file that this package did not generate. */
export async function isForeign(path: string): Promise<boolean> {
  const text = await readText(path)
  return text !== undefined && !isGenerated(text)
}

/**
 * Writes generated files and creates missing folders. Every generated file is written here, so no other
 * file is ever replaced. All paths are checked before the first file is written.
 *
 * @param root - the project's folder, as for {@link writeText}
 */
export async function writeGenerated(
  files: readonly GeneratedFile[],
  root: string,
): Promise<FileReport<WriteResult>[]> {
  await Promise.all(files.map(({ path }) => assertNotForeign(path)))
  return Promise.all(
    files.map(async ({ path, text }) => {
      await createFolderOf(path, root)
      return { path, state: await writeText(path, text, root) }
    }),
  )
}

/** Selects the files that exist and that this package generated. */
export async function findGenerated(paths: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(paths.map(readText))
  // An empty file may be replaced, but nothing shows who wrote it.
  return paths.filter((_, index) => texts[index]?.trim() && isGenerated(texts[index]))
}

/** Removes generated files of one folder, and the folder if it is then empty. */
export async function removeGenerated(
  paths: readonly string[],
  root: string,
): Promise<FileReport<'removed'>[]> {
  const reports: FileReport<'removed'>[] = []
  for (const path of await findGenerated(paths)) {
    await resolveWritable(path, root)
    await rm(path).catch(failWriting(path))
    reports.push({ path, state: 'removed' })
  }
  const [first] = reports
  if (first) await rmdir(dirname(first.path)).catch(() => undefined)
  return reports
}

/**
 * Compares a file with the text that it should have.
 *
 * @param isSame - compares content and text, both with LF. Default: strict equality
 */
export async function fileState(
  { path, text }: GeneratedFile,
  isSame: (one: string, other: string) => boolean = Object.is,
): Promise<FileReport<FileState>> {
  const current = await readText(path)
  if (current === undefined) return { path, state: 'missing' }
  return { path, state: isSame(current.replaceAll('\r\n', '\n'), text) ? 'current' : 'stale' }
}

/** The names of code and declarations in a folder that `prompts generate` writes. */
const MODULES = {
  entry: 'index.js',
  all: 'all.js',
  definitions: 'definitions.js',
  runtime: 'runtime.js',
  entryDeclarations: 'index.d.ts',
  allDeclarations: 'all.d.ts',
  staging: 'staging/index.js',
  stagingAll: 'staging/all.js',
  stagingDefinitions: 'staging/definitions.js',
  stagingDeclarations: 'staging/index.d.ts',
} as const

/** The paths of the files in such a folder. */
export interface OutDirFiles {
  readonly modules: Readonly<Record<keyof typeof MODULES, string>>
  readonly manifest: string
}

/** Returns the paths of these files. */
export function outDirFiles(folder: string): OutDirFiles {
  const paths = Object.entries(MODULES).map(([module, file]) => [module, join(folder, file)])
  const modules = Object.fromEntries(paths) as OutDirFiles['modules']
  return { modules, manifest: join(folder, 'package.json') }
}
