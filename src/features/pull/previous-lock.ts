import type { Environment, PinnedPrompt } from '../../core/prompt.ts'
import type { PromptService, PromptSummary } from '../../core/service.ts'
import { isPromptsError, PromptsError } from '../../errors/prompts-error.ts'
import { type LockStore, readRequiredLock } from '../../fs/lock-store.ts'

/** The lock before a pull. */
export interface PreviousLock {
  /** The prompts to compare with. */
  readonly prompts: readonly PinnedPrompt[]
  /** Prompts that may be kept without a read. For a conflicted lock, the merged prompts. */
  readonly pinned: readonly PinnedPrompt[]
  /** Whether `pinned` has the environment of the pull. */
  readonly reusable: boolean
  /** The slugs to read; `undefined` means all. */
  readonly slugs: ReadonlySet<string> | undefined
  /** Whether both sides of a merge conflict were merged. `slugs` then has what both changed. */
  readonly isMerged: boolean
  /** Why the lock file is invalid. */
  readonly error: PromptsError | undefined
}

/**
 * Reads the lock that a pull replaces. A conflicted lock is merged. Of an edited lock, the valid
 * entries are used. Fails if a held prompt can't be kept.
 *
 * @param slugs - the slugs to pull, which requires a valid lock; `undefined` means all
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
    if (recovered === 'held') {
      if (!isPromptsError(error, 'LOCK_CONFLICTED')) throw error
      throw new PromptsError('LOCK_CONFLICTED', { ...error.details, losesHold: true })
    }
    if (recovered === 'unreadable') return { ...NOTHING, error }
    const reusable = recovered.environment === environment
    const isMerged = isConflicted && reusable
    return {
      prompts: recovered.ours,
      pinned: recovered.merged,
      reusable,
      slugs: isMerged ? new Set(recovered.conflicting) : undefined,
      isMerged,
      error,
    }
  }
}

async function readWhole(
  lock: LockStore,
  environment: Environment,
  slugs: readonly string[],
): Promise<PreviousLock> {
  // A lock with only some prompts would look complete, since builds don't pull if there is a lock.
  const before = await readRequiredLock(lock)
  const { prompts } = before
  if (before.environment !== environment) throw otherEnvironment(lock, environment)
  return { ...NOTHING, prompts, pinned: prompts, reusable: true, slugs: new Set(slugs) }
}

/** The error about a lock whose prompts can't stay next to those of this environment. */
export function otherEnvironment(
  { path, workspace }: LockStore,
  environment: Environment,
): PromptsError<'LOCK_UNFIT'> {
  const other = environment === 'live' ? 'test' : 'live'
  const differences = [`it has ${other} prompts, but the key serves ${environment}`]
  return new PromptsError('LOCK_UNFIT', { path, workspace, differences })
}

const NOTHING: PreviousLock = {
  prompts: [],
  pinned: [],
  reusable: false,
  slugs: undefined,
  isMerged: false,
  error: undefined,
}

/**
 * The prompts that `--changed` doesn't read: those whose list entry matches the lock. In the test
 * environment prompts with a staging version are always read, since drafts change without a new
 * label.
 */
export function knownFrom(
  old: PreviousLock,
  { environment }: Pick<PromptService, 'environment'>,
  changed: boolean,
): (entry: PromptSummary) => PinnedPrompt | undefined {
  if (!changed || !old.reusable) return () => undefined
  const pinned = new Map(old.pinned.map((prompt) => [prompt.slug, prompt]))
  return ({ slug, stagingVersion }) =>
    environment === 'test' && stagingVersion !== null ? undefined : pinned.get(slug)
}

/** The prompts that are kept without a read: held ones, and those that were not requested. */
export function keptPrompts({ pinned, slugs }: PreviousLock): Map<string, PinnedPrompt> {
  const kept = pinned.filter(
    ({ slug, held }) => held !== undefined || (slugs !== undefined && !slugs.has(slug)),
  )
  return new Map(kept.map((prompt) => [prompt.slug, prompt]))
}
