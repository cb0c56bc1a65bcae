import type { ResolvedOptions } from '../../config/resolve-options.ts'
import type { Lock } from '../../core/prompt.ts'
import { headerEnvironment } from '../../codegen/declarations.ts'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { readText } from '../../fs/files.ts'
import { createLockStore } from '../../fs/lock-store.ts'

/** A lock and its path. */
export interface LocatedLock {
  readonly lock: Lock
  /** Absolute. */
  readonly path: string
}

/** The lock that a generated file follows, and the test lock if that is the live lock. */
export interface SourceLock extends LocatedLock {
  readonly staging?: LocatedLock | undefined
}

/**
 * The lock that generated files follow: the live lock if there is one. So a pull with the test key
 * doesn't change the types of live builds.
 *
 * @param readLock - reads the lock of the options
 * @throws PromptsError what reading one of them throws
 */
export async function readFollowedLock(
  options: ResolvedOptions,
  readLock: () => Promise<Lock>,
): Promise<SourceLock> {
  const { lock: path, liveLock, testLock, root, name } = options
  const read = (file: string): Promise<Lock | undefined> => createLockStore(file, root, name).read()
  const live = path === liveLock ? await readLock() : await read(liveLock)
  if (live === undefined) return { lock: await readLock(), path }
  const staging = await read(testLock)
  return { lock: live, path: liveLock, staging: staging && { lock: staging, path: testLock } }
}

/**
 * The source lock of a generated file: the one that it follows, or the test lock if it was generated from
 * that.
 *
 * @param lock - of the options
 * @returns `undefined` if the live lock or the test lock can't be read
 * @throws PromptsError FILE_UNREADABLE
 */
export async function findSourceLock(
  options: ResolvedOptions,
  lock: Lock,
  file: string,
): Promise<SourceLock | undefined> {
  const text = options.environment === 'test' ? await readText(file) : undefined
  if (text !== undefined && headerEnvironment(text) === 'test') return { lock, path: options.lock }
  const source = await readFollowedLock(options, async () => lock).catch(asPromptsError)
  return isPromptsError(source) ? undefined : source
}
