import type { Environment, PinnedPrompt } from '../../core/prompt.ts'
import type { PromptService } from '../../core/service.ts'
import { isPromptsError, PromptsError } from '../../errors/prompts-error.ts'
import type { LockStore } from '../../fs/lock-store.ts'

/** The lock before a pull. */
export interface PreviousLock {
  /** What the changes are compared with. */
  readonly prompts: readonly PinnedPrompt[]
  /** What may stay as it is without being read; the merged prompts of a conflicted lock. */
  readonly pinned: readonly PinnedPrompt[]
  /** Whether `pinned` is of the environment that is pulled. */
  readonly reusable: boolean
  /** The only prompts to read; `undefined` means all. */
  readonly slugs: ReadonlySet<string> | undefined
  /** Whether the two sides of a merge conflict were merged: `slugs` is what both changed. */
  readonly isMerged: boolean
  /** Why the lock can't be read as it is. */
  readonly error: PromptsError | undefined
}

/**
 * Reads the lock that a pull replaces. A conflicted lock is merged, and of an edited one the whole
 * entries are used. A lock with a held prompt that can't be kept is left to the user.
 *
 * @param slugs - what the user wants to pull, which needs a lock without faults; `undefined` means
 *   all
 * @throws PromptsError what reading the lock throws; LOCK_MISSING and LOCK_UNFIT with slugs
 */
export function readPreviousLock(
  lock: LockStore,
  { environment }: Pick<PromptService, 'environment'>,
  slugs: readonly string[] | undefined,
): Promise<PreviousLock> {
  return slugs === undefined ? readAny(lock, environment) : readWhole(lock, environment, slugs)
}

async function readAny(lock: LockStore, environment: Environment): Promise<PreviousLock> {
  try {
    const before = await lock.read()
    if (before === undefined) return NOTHING
    const { prompts } = before
    return { ...NOTHING, prompts, pinned: prompts, reusable: before.environment === environment }
  } catch (error) {
    const isConflicted = isPromptsError(error, 'LOCK_CONFLICTED')
    if (!isConflicted && !isPromptsError(error, 'LOCK_EDITED')) throw error
    const recovered = await lock.recover()
    if (recovered === 'held') throw error
    if (recovered === 'unreadable') return { ...NOTHING, error: error }
    const reusable = recovered.environment === environment
    const isMerged = isConflicted && reusable
    return {
      prompts: recovered.ours,
      pinned: recovered.merged,
      reusable,
      slugs: isMerged ? new Set(recovered.conflicting) : undefined,
      isMerged,
      error: error,
    }
  }
}

async function readWhole(
  lock: LockStore,
  environment: Environment,
  slugs: readonly string[],
): Promise<PreviousLock> {
  const { path, workspace } = lock
  const before = await lock.read()
  // A lock of some prompts would look complete: builds pull nothing more once there is one.
  if (before === undefined) throw new PromptsError('LOCK_MISSING', { path, workspace })
  const { prompts } = before
  if (before.environment !== environment) {
    const differences = [`it has ${before.environment} prompts, and these would be ${environment}`]
    throw new PromptsError('LOCK_UNFIT', { path, workspace, differences })
  }
  return { ...NOTHING, prompts, pinned: prompts, reusable: true, slugs: new Set(slugs) }
}

const NOTHING: PreviousLock = {
  prompts: [],
  pinned: [],
  reusable: false,
  slugs: undefined,
  isMerged: false,
  error: undefined,
}
