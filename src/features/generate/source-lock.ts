import type { ResolvedOptions } from '../../config/resolve-options.ts'
import type { Lock } from '../../core/prompt.ts'
import { headerEnvironment } from '../../codegen/declarations.ts'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { readText } from '../../fs/files.ts'
import { createLockStore, type LockStore } from '../../fs/lock-store.ts'

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
 * @param own - reads the lock of the options
 * @throws PromptsError what reading one of them throws
 */
export async function readFollowedLock(
  options: ResolvedOptions,
  own: () => Promise<Lock>,
): Promise<SourceLock> {
  const { lock: path, liveLock, testLock } = options
  const live = liveLock === undefined ? undefined : await storeAt(liveLock, options).read()
  if (liveLock !== undefined && live === undefined) return { lock: await own(), path }
  const staging = await storeAt(testLock, options).read()
  return {
    lock: live ?? (await own()),
    path: liveLock ?? path,
    staging: staging && { lock: staging, path: testLock },
  }
}

function storeAt(path: string, { root, name }: ResolvedOptions): LockStore {
  return createLockStore(path, root, name)
}

/**
 * The source lock of a generated file: the one that it follows, or the test lock if it was generated from
 * that.
 *
 * @param own - the lock of the options
 * @returns `undefined` if the live lock or the test lock can't be read
 * @throws PromptsError FILE_UNREADABLE
 */
export async function findSourceLock(
  options: ResolvedOptions,
  own: Lock,
  file: string,
): Promise<SourceLock | undefined> {
  const text = options.liveLock === undefined ? undefined : await readText(file)
  if (text !== undefined && headerEnvironment(text) === 'test')
    return { lock: own, path: options.lock }
  const followed = await readFollowedLock(options, async () => own).catch(asPromptsError)
  return isPromptsError(followed) ? undefined : followed
}
