import { relative } from 'node:path'
import { describeContractBreaks } from '../../core/contract.ts'
import type { Lock } from '../../core/prompt.ts'
import { formatCommand } from '../../errors/suggested-command.ts'
import { headerEnvironment } from '../../codegen/declarations-header.ts'
import { isPromptsError, type PromptsError } from '../../errors/prompts-error.ts'
import { writeDeclarations } from './declarations.ts'
import { readText, type WriteResult } from '../../fs/files.ts'
import { toForwardSlashes } from '../../fs/paths.ts'
import { type FileReport, assertNotForeign } from '../../fs/generated-file.ts'
import { createLockStore } from '../../fs/lock-store.ts'
import { generatedFolderFiles } from '../../config/option-paths.ts'
import type { ResolvedOptions } from '../../config/resolved-options.ts'

/** A lock and where it is. */
export interface LocatedLock {
  readonly lock: Lock
  /** Absolute. */
  readonly path: string
}

/** What decides which lock a generated file follows. */
export interface SourceLockRequest {
  /**
   * A generated file, absolute: one that was generated for the test environment continues to follow
   * it. Default: none.
   */
  readonly file?: string | undefined
  /** The lock of the options. */
  readonly own: () => Promise<Lock>
}

/**
 * The lock that a generated file follows: the live lock while there is one, so that a pull with the
 * test key does not change what a live build is checked against.
 *
 * @returns the error when there is a live lock that can't be read
 * @throws PromptsError FILE_UNREADABLE, and what `own` throws
 */
export async function resolveSourceLock(
  { root, name, lock: path, liveLock }: ResolvedOptions,
  { file, own }: SourceLockRequest,
): Promise<LocatedLock | PromptsError> {
  const follow = async (): Promise<LocatedLock> => ({ lock: await own(), path })
  if (liveLock === undefined) return follow()
  const text = file === undefined ? undefined : await readText(file)
  if (text !== undefined && headerEnvironment(text) === 'test') return follow()
  try {
    const live = await createLockStore(liveLock, root, name).read()
    if (live !== undefined) return { lock: live, path: liveLock }
  } catch (error) {
    if (!isPromptsError(error)) throw error
    return error
  }
  return follow()
}

/** How declarations are written. */
export interface UpdateDeclarationsOptions {
  /** Whether to write their map too, which only editors use. Default: false. */
  readonly map?: boolean | undefined
  /** Called with one line when the declarations promise what the lock does not have. */
  readonly warn: (message: string) => void
}

/**
 * Brings the declarations up to date with the lock that they follow.
 *
 * @returns `off` when the options want none
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function updateDeclarations(
  options: ResolvedOptions,
  lock: Lock,
  { map = false, warn }: UpdateDeclarationsOptions,
): Promise<WriteResult | 'off'> {
  const { root, name, dts } = options
  if (dts === false) return 'off'
  const followed = await resolveSourceLock(options, { file: dts, own: async () => lock })
  if (isPromptsError(followed)) return 'unchanged'
  const mapTo = map ? followed.path : undefined
  const outcome = await writeDeclarations(followed.lock, { root, name, dts, mapTo })
  warnOfContract(options, { declared: followed, lock }, warn)
  return outcome
}

/** More would only hide what to do about it. */
const LISTED = 5

function warnOfContract(
  { root, name, dts, lock: path }: ResolvedOptions,
  { declared, lock }: { readonly declared: LocatedLock; readonly lock: Lock },
  warn: UpdateDeclarationsOptions['warn'],
): void {
  if (dts === false || declared.lock === lock) return
  const breaks = describeContractBreaks(declared.lock.prompts, lock.prompts)
  if (breaks.length === 0) return
  const shown = (file: string): string => toForwardSlashes(relative(root, file))
  const more = breaks.length > LISTED ? `; and ${breaks.length - LISTED} more` : ''
  warn(
    `${shown(dts)} follows ${shown(declared.path)}, but ${shown(path)} is in use, where ` +
      `${breaks.slice(0, LISTED).join('; ')}${more}. ` +
      `Run \`npx ${formatCommand(name, 'generate --environment test')}\` to code against it.`,
  )
}

/**
 * Brings the files of the option `outDir` up to date with the lock that they follow.
 *
 * @returns nothing when there is no such option
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function updateOutDir(
  options: ResolvedOptions,
  lock: Lock,
): Promise<FileReport<WriteResult>[]> {
  const { root, name, outDir: folder } = options
  if (folder === undefined) return []
  const file = generatedFolderFiles(folder).code
  const followed = await resolveSourceLock(options, { file, own: async () => lock })
  if (isPromptsError(followed)) return []
  const { writeFiles } = await import('./files.ts')
  return writeFiles(followed.lock, { root, name, folder })
}

/**
 * Refuses options that name files which this package did not generate, before any work is done.
 *
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE
 */
export async function assertOwnFiles({ dts, outDir }: ResolvedOptions): Promise<void> {
  const files = dts === false ? [] : [dts, `${dts}.map`]
  if (outDir !== undefined) {
    const { code, declarations } = generatedFolderFiles(outDir)
    files.push(code, declarations)
  }
  await Promise.all(files.map(assertNotForeign))
}
