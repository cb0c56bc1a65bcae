import { basename, dirname } from 'node:path'
import { locateEntries } from '../../core/lock/lock-lines.ts'
import { haveSameTokens, printDeclarations, sourceMapComment } from '../../codegen/declarations.ts'
import { planModule } from '../../codegen/plan-module.ts'
import { readText } from '../../fs/files.ts'
import type { GeneratedFile } from '../../fs/generated-file.ts'
import { relativePath } from '../../fs/paths.ts'
import type { LocatedLock, SourceLock } from './source-lock.ts'

/**
 * Prints the declarations of `virtual:prompts`, then their map.
 *
 * @param path - of the declarations, absolute
 * @param name - of the workspace
 * @param map - whether to print the map, with which editors jump from a prompt's name to its text in
 *   the lock
 * @throws PromptsError FILE_UNREADABLE
 */
export async function printDeclarationFiles(
  source: SourceLock,
  path: string,
  name: string,
  map: boolean,
): Promise<GeneratedFile[]> {
  const { lock, staging } = source
  const text = printDeclarations(planModule(lock, staging?.lock), name)
  const file = await keepFormatting({ path, text: text + sourceMapComment(basename(path)) })
  return map ? [file, await printMap(file, [source, ...(staging ? [staging] : [])])] : [file]
}

/**
 * Declarations as a formatter may have left them: the text of the file if it is current.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function keepFormatting({ path, text }: GeneratedFile): Promise<GeneratedFile> {
  const current = (await readText(path))?.replaceAll('\r\n', '\n') ?? ''
  return { path, text: haveSameTokens(current, text) ? current : text }
}

async function printMap(
  { path, text }: GeneratedFile,
  locks: readonly LocatedLock[],
): Promise<GeneratedFile> {
  const { printDeclarationMap } = await import('../../codegen/print-declaration-map.ts')
  const sources = locks.map(async (source) => ({
    plan: planModule(source.lock),
    path: relativePath(dirname(path), source.path),
    entries: locateEntries((await readText(source.path)) ?? ''),
  }))
  return {
    path: `${path}.map`,
    text: printDeclarationMap(text, basename(path), await Promise.all(sources)),
  }
}
