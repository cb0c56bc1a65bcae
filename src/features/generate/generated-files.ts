import { describeContractBreaks } from '../../core/contract.ts'
import type { Lock } from '../../core/prompt.ts'
import { formatCommand } from '../../errors/suggested-command.ts'
import { headerEnvironment } from '../../codegen/declarations-header.ts'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { writeDeclarations } from './declarations.ts'
import { readText, type WriteResult } from '../../fs/files.ts'
import { relativePath } from '../../fs/paths.ts'
import { type FileReport, assertNotForeign } from '../../fs/generated-file.ts'
import { createLockStore } from '../../fs/lock-store.ts'
import { generatedFolderFiles } from '../../config/option-paths.ts'
import type { ResolvedOptions } from '../../config/resolved-options.ts'

/** A lock and its path. */
export interface LocatedLock {
  readonly lock: Lock
  /** Absolute. */
  readonly path: string
}

/**
 * The lock that generated files follow: the live lock if there is one. So a pull with the test key
 * doesn't change the types of live builds.
 *
 * @param own - reads the lock of the options
 * @throws PromptsError what reading one of them throws
 */
export async function readFollowedLock(
  { root, name, lock: path, liveLock }: ResolvedOptions,
  own: () => Promise<Lock>,
): Promise<LocatedLock> {
  if (liveLock === undefined) return { lock: await own(), path }
  const live = await createLockStore(liveLock, root, name).read()
  return live === undefined ? { lock: await own(), path } : { lock: live, path: liveLock }
}

/**
 * The source lock of a generated file: the one that it follows, or the test lock if it was generated from
 * that.
 *
 * @param own - the lock of the options
 * @returns `undefined` if the live lock can't be read
 * @throws PromptsError FILE_UNREADABLE
 */
export async function findSourceLock(
  options: ResolvedOptions,
  own: Lock,
  file: string,
): Promise<LocatedLock | undefined> {
  const text = options.liveLock === undefined ? undefined : await readText(file)
  if (text !== undefined && headerEnvironment(text) === 'test')
    return { lock: own, path: options.lock }
  const followed = await readFollowedLock(options, async () => own).catch(asPromptsError)
  return isPromptsError(followed) ? undefined : followed
}

/** How to write declarations. */
export interface UpdateDeclarationsOptions {
  /** Whether to write the map for editors too. Default: false. */
  readonly map?: boolean | undefined
  /** Called with one line if the declarations don't match the lock in use. */
  readonly warn: (message: string) => void
}

/**
 * Updates the declarations to their source lock.
 *
 * @returns `off` if the option `dts` is `false`
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function updateDeclarations(
  options: ResolvedOptions,
  lock: Lock,
  { map = false, warn }: UpdateDeclarationsOptions,
): Promise<WriteResult | 'off'> {
  const { root, name, dts } = options
  if (dts === false) return 'off'
  const source = await findSourceLock(options, lock, dts)
  if (source === undefined) return 'unchanged'
  const lockPath = map ? source.path : undefined
  const outcome = await writeDeclarations(source.lock, { root, name, dts, lockPath })
  warnOfContract(options, { declared: source, lock }, warn)
  return outcome
}

/** More differences are only counted. */
const LISTED = 5

function warnOfContract(
  { root, name, dts, lock: path }: ResolvedOptions,
  { declared, lock }: { readonly declared: LocatedLock; readonly lock: Lock },
  warn: UpdateDeclarationsOptions['warn'],
): void {
  if (dts === false || declared.lock === lock) return
  const breaks = describeContractBreaks(declared.lock.prompts, lock.prompts)
  if (breaks.length === 0) return
  const shown = (file: string): string => relativePath(root, file)
  const more = breaks.length > LISTED ? `; and ${breaks.length - LISTED} more` : ''
  warn(
    `${shown(dts)} matches ${shown(declared.path)}, but ${shown(path)} is in use. It differs: ` +
      `${breaks.slice(0, LISTED).join('; ')}${more}. ` +
      `Run \`npx ${formatCommand(name, 'generate --environment test')}\` to use its types.`,
  )
}

/**
 * Updates the files in `outDir` to their source lock.
 *
 * @returns an empty list without the option
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function updateOutDir(
  options: ResolvedOptions,
  lock: Lock,
): Promise<FileReport<WriteResult>[]> {
  const { root, name, outDir: folder } = options
  if (folder === undefined) return []
  const source = await findSourceLock(options, lock, generatedFolderFiles(folder).modules.entry)
  if (source === undefined) return []
  const { writeFiles } = await import('./files.ts')
  return writeFiles(source.lock, { root, name, folder })
}

/**
 * Fails early if the options name files that this package did not generate.
 *
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE
 */
export async function assertOwnFiles(options: ResolvedOptions): Promise<void> {
  await Promise.all(generatedPaths(options).map(assertNotForeign))
}

/** The paths of the code and declarations that are generated from the lock, absolute. */
export function generatedPaths({ dts, outDir }: ResolvedOptions): string[] {
  const files = dts === false ? [] : [dts, `${dts}.map`]
  if (outDir !== undefined) files.push(...Object.values(generatedFolderFiles(outDir).modules))
  return files
}
