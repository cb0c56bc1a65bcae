import { heldPrompts, stagedPrompts } from '../../core/drift.ts'
import { indexBySlug, sortBySlug } from '../../core/text/order.ts'
import type { PromptService, PromptSummary } from '../../core/service.ts'
import { assertKnownSlugs } from '../../errors/assert-known-slugs.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { LockStore } from '../../fs/lock-store.ts'
import type { ResolvedOptions } from '../../config/resolve-options.ts'
import type { CallOptions } from '../../service/client.ts'
import { readWorkspace } from '../../service/read-workspace.ts'
import { assertPinnable } from './assert-pinnable.ts'
import { describeLock, type PullDraft } from './draft.ts'
import {
  keptPrompts,
  knownFrom,
  otherEnvironment,
  type PreviousLock,
  readPreviousLock,
} from './previous-lock.ts'

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
  const canSkip = old.prompts.length === 0 || old.reusable
  if (mustSkip && !canSkip) throw otherEnvironment(lock, environment)
  const kept = keptPrompts(old)
  const workspace = await readWorkspace(service, {
    checkList: (entries) => allowReplace || assertRelated(entries, old, lock),
    isSelected: (entry) =>
      isSelected(entry) && !kept.has(entry.slug) && (old.slugs?.has(entry.slug) ?? true),
    findPinned: knownFrom(old, service, changed),
    concurrency,
    ...call,
  })
  assertKnownSlugs(slugs, {
    where: 'The workspace',
    found: [...old.pinned, ...workspace.prompts],
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
    ...describeLock(before, after),
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
