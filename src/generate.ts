import type { Lock } from './core/prompt.ts'
import { declarationsHeader, hasHeader } from './emit/declarations-header.ts'
import { planModule } from './emit/plan-module.ts'
import { sha256 } from './io/digest.ts'
import { readText, type WriteOutcome, writeText } from './io/files.ts'

/** Where generated declarations go. */
export interface DeclarationsTarget {
  /** The project's folder, absolute. */
  readonly root: string
  /** The file, absolute. */
  readonly dts: string
}

/**
 * Whether the declarations were made from this lock, told by the header alone: nothing heavy is
 * loaded to find out.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function declarationsAreCurrent(
  lock: Lock,
  { dts }: Pick<DeclarationsTarget, 'dts'>,
): Promise<boolean> {
  const current = await readText(dts)
  return current !== undefined && hasHeader(current, declarationsHeader(lock, sha256))
}

/**
 * Writes the declarations of `virtual:prompts` where they are not current.
 *
 * @throws PromptsError FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function writeDeclarations(
  lock: Lock,
  target: DeclarationsTarget,
): Promise<WriteOutcome> {
  if (await declarationsAreCurrent(lock, target)) return 'unchanged'
  const { printDeclarations } = await import('./emit/print-declarations.ts')
  const text = printDeclarations(planModule(lock), declarationsHeader(lock, sha256))
  return writeText(target.dts, text, target.root)
}
