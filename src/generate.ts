import { basename, dirname, relative } from 'node:path'
import { slugLines } from './core/lock-lines.ts'
import type { Lock } from './core/prompt.ts'
import { declarationsHeader, hasHeader, mapComment } from './emit/declarations-header.ts'
import { planModule } from './emit/plan-module.ts'
import { sha256 } from './io/digest.ts'
import { makeFolder, readBeginning, readText, type WriteOutcome, writeText } from './io/files.ts'
import { forwardSlashes } from './io/forward-slashes.ts'

/** Where generated declarations go. */
export interface DeclarationsTarget {
  /** The project's folder, absolute. */
  readonly root: string
  /** Of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
  /** The file, absolute. */
  readonly dts: string
  /**
   * The lock's file, absolute: editors then jump from a prompt's name to its text there, by a map
   * beside the declarations.
   */
  readonly lock?: string | undefined
}

/** Where declarations are read. */
type DeclarationsSource = Omit<DeclarationsTarget, 'root'>

/**
 * Whether the declarations were made from this lock, told by the header alone: nothing heavy is
 * loaded to find out.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function declarationsAreCurrent(
  lock: Lock,
  { dts, name }: Pick<DeclarationsTarget, 'dts' | 'name'>,
): Promise<boolean> {
  const beginning = await readBeginning(dts)
  return beginning !== undefined && hasHeader(beginning, declarationsHeader(lock, sha256, name))
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
  const current = (await declarationsAreCurrent(lock, target)) && (await hasMap(target))
  return current ? 'unchanged' : rewriteDeclarations(lock, target)
}

async function hasMap({ dts, lock }: DeclarationsSource): Promise<boolean> {
  return lock === undefined || (await readBeginning(`${dts}.map`)) !== undefined
}

/**
 * Writes the declarations anew, in a folder that need not be there, also where only their text
 * below the header was changed.
 *
 * @throws PromptsError FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function rewriteDeclarations(
  lock: Lock,
  target: DeclarationsTarget,
): Promise<WriteOutcome> {
  const { text, map } = await printTexts(lock, target)
  await makeFolder(dirname(target.dts), target.root)
  // The header of the declarations says that both are current, so they are written last (FAULTS 56).
  const outcomes = map === undefined ? [] : [await writeText(`${target.dts}.map`, map, target.root)]
  outcomes.push(await writeText(target.dts, text, target.root))
  return outcomes.includes('written') ? 'written' : 'unchanged'
}

/** The declarations, and their map where there is a lock to lead to. */
async function printTexts(
  pinned: Lock,
  { dts, lock, name }: DeclarationsSource,
): Promise<{ text: string; map: string | undefined }> {
  const { printDeclarations } = await import('./emit/print-declarations.ts')
  const plan = planModule(pinned)
  const declarations = printDeclarations(plan, declarationsHeader(pinned, sha256, name), name)
  if (lock === undefined) return { text: declarations, map: undefined }
  const { printDeclarationMap } = await import('./emit/print-declaration-map.ts')
  const file = basename(dts)
  const source = forwardSlashes(relative(dirname(dts), lock))
  const lines = slugLines(pinned)
  const map = printDeclarationMap({ plan, declarations, file, lines, source })
  return { text: declarations + mapComment(file), map }
}

/** Whether a generated file is what the lock says, to the letter but for the form of line ends. */
export type FileState = 'current' | 'stale' | 'missing'

/**
 * Holds the whole text of the declarations, and their map, against the lock: the header alone does
 * not tell an edit below it.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function declarationsState(
  lock: Lock,
  source: DeclarationsSource,
): Promise<FileState> {
  const { text, map } = await printTexts(lock, source)
  const state = await fileState(source.dts, text)
  return state !== 'current' || map === undefined ? state : fileState(`${source.dts}.map`, map)
}

/**
 * Holds a file against the text that it should have.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function fileState(path: string, wanted: string): Promise<FileState> {
  const current = await readText(path)
  if (current === undefined) return 'missing'
  return current.replaceAll('\r\n', '\n') === wanted ? 'current' : 'stale'
}
