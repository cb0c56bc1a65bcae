/** The folders that `prompts generate --out-dir` wrote, and their declarations for other prompts. */
import { basename, dirname } from 'node:path'
import { generatedHeader, printModuleDeclarations } from '../codegen/declarations.ts'
import type { LockPlan } from '../codegen/plan-module.ts'
import { fileHeader, GENERATED_BY } from '../core/generated.ts'
import { outDirFiles, toForwardSlashes } from '../fs/paths.ts'
import { ts } from './compiler.ts'

const MODULES = new Set(Object.values(outDirFiles('').modules).map((path) => basename(path)))

/**
 * The folder of a file in one of a workspace.
 *
 * @returns `undefined` for any other file
 */
export function generatedFolder(path: string, name: string): string | undefined {
  if (!MODULES.has(basename(path))) return undefined
  // The folder `staging` in it has no runtime of its own.
  const folder = [dirname(path), dirname(dirname(path))].find((above) =>
    ts.sys.fileExists(outDirFiles(above).modules.runtime),
  )
  if (folder === undefined) return undefined
  const lines = generatedHeader('generate', name).split('\n')
  const marker = lines.find((line) => line.includes(GENERATED_BY)) ?? ''
  const { entry, entryDeclarations } = outDirFiles(folder).modules
  const headers = [entryDeclarations, entry].map((file) => fileHeader(ts.sys.readFile(file) ?? ''))
  return headers.some((header) => header.includes(marker)) ? folder : undefined
}

/**
 * Prints the declarations for any folder, by their paths as the compiler spells them.
 *
 * @param plan - `undefined` for no declarations, so that every prompt is `any`
 */
export function printFolders(
  plan: LockPlan | undefined,
  name: string,
): (folder: string) => ReadonlyMap<string, string> {
  const texts = plan && printModuleDeclarations(plan, name)
  return (folder) => {
    const { modules } = outDirFiles(folder)
    return new Map([
      [toForwardSlashes(modules.entryDeclarations), texts?.entry ?? ''],
      [toForwardSlashes(modules.allDeclarations), texts?.all ?? ''],
      [toForwardSlashes(modules.stagingDeclarations), texts?.staging ?? ''],
    ])
  }
}
