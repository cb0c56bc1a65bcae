import { basename, dirname } from 'node:path'
import { locateParts } from '../../core/lock/lock-lines.ts'
import { printLock } from '../../core/lock/print-lock.ts'
import type { Lock } from '../../core/prompt.ts'
import { haveSameTokens, printDeclarations, sourceMapComment } from '../../codegen/declarations.ts'
import type { LockPlan } from '../../codegen/plan-module.ts'
import type { ResolvedOptions } from '../../config/resolve-options.ts'
import { readText, sha256 } from '../../fs/files.ts'
import type { GeneratedFile } from '../../fs/generated-file.ts'
import { relativePath } from '../../fs/paths.ts'

/**
 * Prints the declarations of `virtual:prompts`, then their map if it is wanted, with which editors jump
 * from a prompt's name to its text in the lock.
 */
export async function printDeclarationFiles(
  { name, lock: lockPath }: Pick<ResolvedOptions, 'name' | 'lock'>,
  { dts: path, map }: { readonly dts: string; readonly map: boolean },
  plan: LockPlan,
  lock: Lock,
): Promise<GeneratedFile[]> {
  const file = basename(path)
  const text = printDeclarations(plan, name) + sourceMapComment(file)
  const declarations = await keepFormatting({ path, text })
  if (!map) return [declarations]
  const { printDeclarationMap } = await import('../../codegen/print-declaration-map.ts')
  const source = {
    plan,
    path: relativePath(dirname(path), lockPath),
    lineOf: locateParts(printLock(lock, sha256)),
  }
  const printed = printDeclarationMap(declarations.text, file, source)
  return [declarations, { path: `${path}.map`, text: printed }]
}

/** Declarations as a formatter may have left them: the text of the file if it is current. */
export async function keepFormatting({ path, text }: GeneratedFile): Promise<GeneratedFile> {
  const current = (await readText(path))?.replaceAll('\r\n', '\n') ?? ''
  return { path, text: haveSameTokens(current, text) ? current : text }
}
