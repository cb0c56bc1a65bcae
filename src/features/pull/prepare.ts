import type { ResolvedOptions } from '../../config/resolve-options.ts'
import { heldPrompts, stagedPrompts } from '../../core/drift.ts'
import type { RecoveredLock } from '../../core/lock/merge-lock.ts'
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

/**
 * Reads the service and compares it with the lock. Writes nothing, and locks nothing.
 *
 * @throws PromptsError what {@link readWorkspace}, {@link readPreviousLock} and the service throw;
 *   PULL_EMPTY, PULL_UNRELATED, LOCK_UNFIT, SLUG_UNKNOWN, TEXT_HOLDS_KEY, TEXT_UNPAIRED_SURROGATE,
 *   TOO_MANY_TOKENS
 */
export async function prepare(
  service: PromptService,
  lock: LockStore,
  { isSelected, concurrency, apiKey }: ResolvedOptions,
  { slugs, changed = false, allowReplace = false, mustSkip = false, ...call }: PullRequest,
): Promise<PullDraft> {
  const { environment } = service
  // Before the content, so that a lock that changes in between is never taken for the one read.
  const base = await lock.readHash()
  const old = await readPreviousLock(lock, environment, slugs !== undefined)
  const isReusable = old.environment === environment
  const canSkip = isReusable || old.ours.length === 0
  // Its prompts can't stay next to those of this environment.
  if ((slugs !== undefined && !isReusable) || (mustSkip && !canSkip))
    throw new PromptsError('LOCK_UNFIT', {
      path: lock.path,
      workspace: lock.workspace,
      differences: [`it has ${old.environment} prompts, but the key serves ${environment}`],
    })
  const merged = isReusable ? old.conflicting : undefined
  const requested = slugs ?? merged
  const isRequested = requested && new Set(requested)
  const unread = indexBySlug(
    old.merged.filter(
      ({ slug, held }) => held !== undefined || (isRequested && !isRequested.has(slug)),
    ),
  )
  const workspace = await readWorkspace(service, {
    checkList: (entries) => allowReplace || assertRelated(entries, old, lock),
    isSelected: (entry) =>
      isSelected(entry) && !unread.has(entry.slug) && (isRequested?.has(entry.slug) ?? true),
    findPinned: changed && isReusable ? findUnchanged(old, environment) : undefined,
    concurrency,
    ...call,
  })
  assertKnownSlugs(slugs, {
    where: 'The workspace',
    prompts: [...old.merged, ...workspace.prompts],
    listed: workspace.listed,
  })
  const prompts = sortBySlug([...unread.values(), ...workspace.prompts])
  assertPinnable(prompts, apiKey?.value ?? '')
  if (prompts.length === 0 && !allowReplace) refuseEmpty(old, lock)
  const before = { environment, prompts: old.ours }
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
    merged,
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
  { ours }: PreviousLock,
  { path, workspace }: Pick<LockStore, 'path' | 'workspace'>,
): void {
  const pinned = indexBySlug(ours)
  if (entries.length === 0 || pinned.size < ENOUGH_PROMPTS) return
  if (entries.some(({ slug }) => pinned.has(slug))) return
  const [count, known] = [entries.length, ours.length]
  throw new PromptsError('PULL_UNRELATED', { count, known, path, workspace })
}

/** Also refuses when the lock can't be read, since it may hold any number of prompts. */
function refuseEmpty(
  { ours: { length }, error }: PreviousLock,
  { workspace }: Pick<LockStore, 'workspace'>,
): void {
  if (length === 0 && error === undefined) return
  const content = error === undefined ? `the lock has ${length}` : 'the broken lock may have some'
  throw new PromptsError('PULL_EMPTY', { held: content, workspace }, { cause: error })
}

/** The lock before a pull, as far as it can be used. */
interface PreviousLock extends Omit<RecoveredLock, 'conflicting'> {
  /** The slugs that both sides of a merge conflict changed; `undefined` without a conflict. */
  readonly conflicting?: readonly string[]
  /** Why the lock file is invalid. */
  readonly error?: PromptsError
}

/**
 * Reads the lock that a pull replaces. A conflicted lock is merged. Of an edited lock, the valid
 * entries are used. Fails if a held prompt can't be kept.
 *
 * @param environment - of an empty lock, which a missing or unreadable one counts as
 * @param isRequired - whether there has to be a valid lock: one with only some prompts would look complete,
 *   since builds don't pull if there is a lock
 * @throws PromptsError what reading the lock throws; LOCK_MISSING
 */
async function readPreviousLock(
  lock: LockStore,
  environment: Environment,
  isRequired: boolean,
): Promise<PreviousLock> {
  const nothing = { environment, ours: [], merged: [] }
  try {
    const before = isRequired ? await readRequiredLock(lock) : await lock.read()
    return before ? { ...before, ours: before.prompts, merged: before.prompts } : nothing
  } catch (error) {
    const isConflicted = isPromptsError(error, 'LOCK_CONFLICTED')
    if (isRequired || !(isConflicted || isPromptsError(error, 'LOCK_EDITED'))) throw error
    const recovered = await lock.recover()
    if (recovered === 'unreadable') return { ...nothing, error }
    if (recovered !== 'held') {
      const { conflicting, ...entries } = recovered
      return isConflicted ? { ...entries, conflicting, error } : { ...entries, error }
    }
    if (!isPromptsError(error, 'LOCK_CONFLICTED')) throw error
    throw new PromptsError('LOCK_CONFLICTED', { ...error.details, losesHold: true })
  }
}

/**
 * Finds what `--changed` doesn't read: prompts whose list entry matches the lock. In the test environment
 * prompts with a staging version are always read, since drafts change without a new label.
 */
function findUnchanged(
  { merged }: PreviousLock,
  environment: Environment,
): (entry: PromptSummary) => PinnedPrompt | undefined {
  const pinned = indexBySlug(merged)
  return ({ slug, stagingVersion }) =>
    environment === 'test' && stagingVersion !== null ? undefined : pinned.get(slug)
}
