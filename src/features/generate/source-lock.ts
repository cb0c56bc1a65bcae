import type { ResolvedOptions } from '../../config/resolved-options.ts'
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
