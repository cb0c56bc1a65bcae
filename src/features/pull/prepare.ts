import type { ResolvedOptions } from '../../config/resolve-options.ts'
import { heldPrompts, stagedPrompts } from '../../core/drift.ts'
import type { Environment, PinnedPrompt } from '../../core/prompt.ts'
import type { PromptService, PromptSummary } from '../../core/service.ts'
import { indexBySlug, sortBySlug } from '../../core/text/order.ts'
import { assertKnownSlugs } from '../../errors/assert-known-slugs.ts'
import { PromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { type LockStore, readRequiredLock } from '../../fs/lock-store.ts'
import type { CallOptions } from '../../service/client.ts'
import { readWorkspace } from '../../service/read-workspace.ts'
import { assertPinnable } from './assert-pinnable.ts'
import { type PullDraft, compareLocks } from './draft.ts'

/** What a pull reads. */
export interface PullRequest extends CallOptions {
  /** Slugs to update. The rest of the lock, which must exist, stays. Default: all. */
  readonly slugs?: readonly string[] | undefined
  /** Read only prompts whose list entry differs from the lock. Default: false. */
  readonly changed?: boolean | undefined
  /** Accept a workspace that has no prompt of the lock, or none at all. Default: false. */
  readonly allowReplace?: boolean | undefined
  /** Require a lock whose entries may stay next to new ones. Default: false. */
  readonly mustSkip?: boolean | undefined
}

/** What a pull reads from. */
interface PullSources {
  readonly service: PromptService
  readonly lock: LockStore
  readonly options: Pick<ResolvedOptions, 'isSelected' | 'concurrency' | 'apiKey'>
}

/**
 * Reads the service and compares it with the lock. Writes nothing, and locks nothing.
 *
 * @throws PromptsError what {@link readWorkspace}, {@link readPreviousLock} and the service throw;
 *   PULL_EMPTY, PULL_UNRELATED, SLUG_UNKNOWN, TEXT_HOLDS_KEY, TEXT_UNPAIRED_SURROGATE, TOO_MANY_TOKENS
 */
export async function prepare(
  { service, lock, options: { isSelected, concurrency, apiKey } }: PullSources,
  { slugs, changed = false, allowReplace = false, mustSkip = false, ...call }: PullRequest,
): Promise<PullDraft> {
  const { environment } = service
  // Before the content, so that a lock that changes in between is never taken for the one read.
  const base = await lock.readHash()
  const old = await readPreviousLock(lock, service, slugs)
  const canSkip = old.prompts.length === 0 || old.isReusable
  if (mustSkip && !canSkip) throw otherEnvironment(lock, environment)
  const kept = keptPrompts(old)
  const workspace = await readWorkspace(service, {
    checkList: (entries) => allowReplace || assertRelated(entries, old, lock),
    isSelected: (entry) =>
      isSelected(entry) && !kept.has(entry.slug) && (old.slugs?.has(entry.slug) ?? true),
    findPinned: findKnown(old, service, changed),
    concurrency,
    ...call,
  })
  assertKnownSlugs(slugs, {
    where: 'The workspace',
    prompts: [...old.pinned, ...workspace.prompts],
    listed: workspace.listed,
  })
  const prompts = sortBySlug([...kept.values(), ...workspace.prompts])
  assertPinnable(prompts, apiKey?.value ?? '')
  if (prompts.length === 0 && !allowReplace) refuseEmpty(old, lock)
  const before = { environment, prompts: old.prompts }
  const after = { environment, prompts }
  return {
    base,
    before,
    lock: after,
    ...compareLocks(before, after),
    skipped: [],
    canSkip,
    held: heldPrompts(after, { entries: workspace.listed, environment }),
    staged: environment === 'live' ? stagedPrompts(workspace.listed.filter(isSelected)) : [],
    previousLockError: old.error,
    merged: old.isMerged ? [...(old.slugs ?? [])] : undefined,
    planStatus: workspace.planStatus,
    reads: workspace.reads,
    lists: workspace.lists,
  }
}

/** In a smaller lock all prompts may well be renamed. */
const ENOUGH_PROMPTS = 3

/** Refuses another workspace, such as that of a wrong key, before any metered read. */
function assertRelated(
  entries: readonly PromptSummary[],
  { prompts }: PreviousLock,
  { path, workspace }: Pick<LockStore, 'path' | 'workspace'>,
): void {
  const pinned = indexBySlug(prompts)
  if (entries.length === 0 || pinned.size < ENOUGH_PROMPTS) return
  if (entries.some(({ slug }) => pinned.has(slug))) return
  const [count, known] = [entries.length, prompts.length]
  throw new PromptsError('PULL_UNRELATED', { count, known, path, workspace })
}

/** Also refuses when the lock can't be read, since it may hold any number of prompts. */
function refuseEmpty(
  { prompts: { length }, error }: PreviousLock,
  { workspace }: Pick<LockStore, 'workspace'>,
): void {
  if (length === 0 && error === undefined) return
  const held = error === undefined ? `the lock has ${length}` : 'the broken lock may have some'
  throw new PromptsError('PULL_EMPTY', { held, workspace }, { cause: error })
}

/** The lock before a pull. */
interface PreviousLock {
  /** The prompts to compare with. */
  readonly prompts: readonly PinnedPrompt[]
  /** Prompts that may be kept without a read. For a conflicted lock, the merged prompts. */
  readonly pinned: readonly PinnedPrompt[]
  /** Whether `pinned` has the environment of the pull. */
  readonly isReusable: boolean
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
function readPreviousLock(
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
    return { ...NOTHING, prompts, pinned: prompts, isReusable: before.environment === environment }
  } catch (error) {
    const isConflicted = isPromptsError(error, 'LOCK_CONFLICTED')
    if (!isConflicted && !isPromptsError(error, 'LOCK_EDITED')) throw error
    const recovered = await lock.recover()
    if (recovered === 'held') {
      if (!isPromptsError(error, 'LOCK_CONFLICTED')) throw error
      throw new PromptsError('LOCK_CONFLICTED', { ...error.details, losesHold: true })
    }
    if (recovered === 'unreadable') return { ...NOTHING, error }
    const isReusable = recovered.environment === environment
    const isMerged = isConflicted && isReusable
    return {
      prompts: recovered.ours,
      pinned: recovered.merged,
      isReusable,
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
  return { ...NOTHING, prompts, pinned: prompts, isReusable: true, slugs: new Set(slugs) }
}

/** The error about a lock whose prompts can't stay next to those of this environment. */
function otherEnvironment(
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
  isReusable: false,
  slugs: undefined,
  isMerged: false,
  error: undefined,
}

/**
 * The prompts that `--changed` doesn't read: those whose list entry matches the lock. In the test
 * environment prompts with a staging version are always read, since drafts change without a new
 * label.
 */
function findKnown(
  old: PreviousLock,
  { environment }: Pick<PromptService, 'environment'>,
  changed: boolean,
): (entry: PromptSummary) => PinnedPrompt | undefined {
  if (!changed || !old.isReusable) return () => undefined
  const pinned = new Map(old.pinned.map((prompt) => [prompt.slug, prompt]))
  return ({ slug, stagingVersion }) =>
    environment === 'test' && stagingVersion !== null ? undefined : pinned.get(slug)
}

/** The prompts that are kept without a read: held ones, and those that were not requested. */
function keptPrompts({ pinned, slugs }: PreviousLock): Map<string, PinnedPrompt> {
  const kept = pinned.filter(
    ({ slug, held }) => held !== undefined || (slugs !== undefined && !slugs.has(slug)),
  )
  return new Map(kept.map((prompt) => [prompt.slug, prompt]))
}
