import type { ResolvedOptions } from '../../config/resolve-options.ts'
import type { Lock } from '../../core/prompt.ts'
import { isPromptsError, PromptsError } from '../../errors/prompts-error.ts'
import { createLockStore, type LockStore, readRequiredLock } from '../../fs/lock-store.ts'

/**
 * Reads the lock and compares it with the options.
 *
 * @throws PromptsError LOCK_MISSING, LOCK_UNFIT, and what reading the lock throws
 */
export async function readMatchingLock(lock: LockStore, options: ResolvedOptions): Promise<Lock> {
  const { path, workspace } = lock
  const pinned = await readRequiredLock(lock)
  const differences = lockMismatches(pinned, options).map(({ text }) => text)
  if (differences.length > 0) throw new PromptsError('LOCK_UNFIT', { path, workspace, differences })
  return pinned
}

/**
 * Reads the lock of `virtual:prompts/staging`, which is that of the options in the test environment.
 *
 * @throws PromptsError STAGING_MISSING, LOCK_UNFIT, and what reading the lock throws
 */
export async function readTestLock(options: ResolvedOptions): Promise<Lock> {
  const { root, name: workspace, testLock: path } = options
  const lock = createLockStore(path, root, workspace)
  return readMatchingLock(lock, { ...options, environment: 'test' }).catch((error: unknown) => {
    throw isPromptsError(error, 'LOCK_MISSING')
      ? new PromptsError('STAGING_MISSING', { path, workspace })
      : error
  })
}

/** One difference between a lock and the options. */
export interface LockMismatch {
  /** The prompt; `undefined` for the whole lock. */
  readonly slug: string | undefined
  readonly text: string
}

/** How a lock differs from what the options select; empty if it matches. */
export function lockMismatches(
  lock: Lock,
  { environment, isSelected }: Pick<ResolvedOptions, 'environment' | 'isSelected'>,
): LockMismatch[] {
  if (lock.environment !== environment) {
    const text = `it has ${lock.environment} prompts, but the options select ${environment}`
    return [{ slug: undefined, text }]
  }
  return lock.prompts
    .filter((prompt) => prompt.held === undefined && !isSelected(prompt))
    .map(({ slug }) => ({ slug, text: `it has ${slug}, which the options exclude` }))
}
