import { loaded } from '../../errors/missing-package.ts'
import { basename, dirname } from 'node:path'
import { locateEntries } from '../../core/lock/lock-lines.ts'
import type { Lock } from '../../core/prompt.ts'
import { sourceMapComment } from '../../codegen/declarations-header.ts'
import { areDeclarationsCurrent, withHeader } from '../../codegen/declarations-text.ts'
import { type ModulePlan, planModule } from '../../codegen/plan-module.ts'
import { sha256 } from '../../fs/digest.ts'
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
 * they are formatted, and ts-morph is loaded only for others.
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

function declarationsFile(
  plan: ModulePlan,
  { dts: path, name }: Pick<DeclarationsTarget, 'dts' | 'name'>,
): Promise<DeclarationsFile> {
  return keepOrPrint({ path, plan, indentation: ' '.repeat(8) }, async () => {
    const { printDeclarations } = await loaded(import('../../codegen/print-declarations.ts'))
    const style = { digest: sha256, name }
    const body = printDeclarations(plan, style) + sourceMapComment(basename(path))
    return withHeader({ ...style, command: 'pull', environment: plan.environment, plan, body })
  })
}

/** Declarations to be written. */
interface WantedFile extends Pick<GeneratedFile, 'path'> {
  readonly plan: ModulePlan
  /** Indentation of the members of `Prompts`. */
  readonly indentation: string
}

/** The expected text of declarations. */
interface DeclarationsFile extends GeneratedFile {
  /** Whether the file is current. */
  readonly isCurrent: boolean
}

/**
 * The text of declarations: that of the file if it is current, so its formatting stays; otherwise
 * newly printed.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function keepOrPrint(
  { path, plan, indentation }: WantedFile,
  print: () => Promise<string>,
): Promise<DeclarationsFile> {
  const current = (await readText(path))?.replaceAll('\r\n', '\n')
  const style = { digest: sha256, indentation }
  const isCurrent = current !== undefined && areDeclarationsCurrent(current, plan, style)
  return { path, text: isCurrent ? current : await print(), isCurrent }
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
