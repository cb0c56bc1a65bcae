import { basename, dirname } from 'node:path'
import { locateEntries } from '../../core/lock/lock-lines.ts'
import type { Lock } from '../../core/prompt.ts'
import { haveSameTokens, printDeclarations, sourceMapComment } from '../../codegen/declarations.ts'
import { type ModulePlan, planModule } from '../../codegen/plan-module.ts'
import { readText, type WriteResult } from '../../fs/files.ts'
import { relativePath } from '../../fs/paths.ts'
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
  const plan = planModule(lock)
  const file = await declarationsFile(plan, target)
  const map = lockPath === undefined ? [] : [await printMap(plan, { ...file, lockPath })]
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
  target: Pick<DeclarationsTarget, 'dts' | 'name'>,
): Promise<FileReport<FileState>> {
  const { isCurrent, ...file } = await declarationsFile(planModule(lock), target)
  return isCurrent ? { path: file.path, state: 'current' } : fileState(file)
}

/** The expected text of declarations. */
interface DeclarationsFile extends GeneratedFile {
  /** Whether the file is current. */
  readonly isCurrent: boolean
}

function declarationsFile(
  plan: ModulePlan,
  { dts: path, name }: Pick<DeclarationsTarget, 'dts' | 'name'>,
): Promise<DeclarationsFile> {
  return keepFormatting({
    path,
    text: printDeclarations(plan, name) + sourceMapComment(basename(path)),
  })
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
  plan: ModulePlan,
  { path, text, lockPath }: GeneratedFile & { readonly lockPath: string },
): Promise<GeneratedFile> {
  const { printDeclarationMap } = await import('../../codegen/print-declaration-map.ts')
  const source = relativePath(dirname(path), lockPath)
  const entries = locateEntries((await readText(lockPath)) ?? '')
  const file = basename(path)
  return {
    path: `${path}.map`,
    text: printDeclarationMap({ plan, declarations: text, file, entries, source }),
  }
}
