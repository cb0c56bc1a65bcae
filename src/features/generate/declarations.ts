import { basename, dirname } from 'node:path'
import { locateEntries } from '../../core/lock/lock-lines.ts'
import type { Lock } from '../../core/prompt.ts'
import { haveSameTokens, printDeclarations, sourceMapComment } from '../../codegen/declarations.ts'
import { planModule } from '../../codegen/plan-module.ts'
import { readText, type WriteResult } from '../../fs/files.ts'
import { relativePath } from '../../fs/paths.ts'
import type { LocatedLock } from './source-lock.ts'
import {
  type FileReport,
  type FileState,
  fileState,
  type GeneratedFile,
  writeGenerated,
} from '../../fs/generated-file.ts'

/** Where to write the declarations. */
export interface DeclarationsTarget {
  /** Absolute path of the project's root. */
  readonly root: string
  /** Name of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
  /** Absolute path of the file. */
  readonly dts: string
  /**
   * Absolute path of the lock. If set, a map is written next to the declarations, with which
   * editors jump from a prompt's name to its text in the lock.
   */
  readonly lockPath?: string | undefined
  /** The test lock, if `lock` is the live lock and there is one beside it. */
  readonly staging?: LocatedLock | undefined
}

/**
 * Writes the declarations of `virtual:prompts` and their map. Current declarations stay, however
 * they are formatted.
 *
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function writeDeclarations(
  lock: Lock,
  { root, lockPath, ...target }: DeclarationsTarget,
): Promise<WriteResult> {
  const file = await declarationsFile(lock, target)
  const locks = [{ lock, path: lockPath ?? '' }, ...(target.staging ? [target.staging] : [])]
  const map = lockPath === undefined ? [] : [await printMap(file, locks)]
  // Skips current declarations, since reading them again costs megabytes for thousands of prompts.
  await writeGenerated(file.isCurrent ? map : [file, ...map], root)
  return file.isCurrent ? 'unchanged' : 'written'
}

/**
 * Whether the declarations are current, stale or missing.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function declarationsState(
  lock: Lock,
  target: Pick<DeclarationsTarget, 'dts' | 'name' | 'staging'>,
): Promise<FileReport<FileState>> {
  const { isCurrent, ...file } = await declarationsFile(lock, target)
  return isCurrent ? { path: file.path, state: 'current' } : fileState(file)
}

/** The expected text of declarations. */
interface DeclarationsFile extends GeneratedFile {
  /** Whether the file is current. */
  readonly isCurrent: boolean
}

function declarationsFile(
  lock: Lock,
  { dts: path, name, staging }: Pick<DeclarationsTarget, 'dts' | 'name' | 'staging'>,
): Promise<DeclarationsFile> {
  const text = printDeclarations(planModule(lock, staging?.lock), name)
  return keepFormatting({ path, text: text + sourceMapComment(basename(path)) })
}

/**
 * Declarations as a formatter may have left them: the text of the file if it is current.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function keepFormatting({ path, text }: GeneratedFile): Promise<DeclarationsFile> {
  const current = (await readText(path))?.replaceAll('\r\n', '\n')
  return current !== undefined && haveSameTokens(current, text)
    ? { path, text: current, isCurrent: true }
    : { path, text, isCurrent: false }
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
    text: printDeclarationMap({
      declarations: text,
      file: basename(path),
      sources: await Promise.all(sources),
    }),
  }
}
