/**
 * The first step of a pull: the lock and the service become a draft. What of it is written is decided by a
 * person or by options, and then committed; nothing else writes a lock.
 */
import type { ResolvedOptions } from '../../config/resolve-options.ts'
import { heldPrompts } from '../../core/drift.ts'
import type { PartConflict, RecoveredLock } from '../../core/lock/merge-lock.ts'
import {
  type ListAnswer,
  type NextLock,
  nextLock,
  type ServiceAnswer,
} from '../../core/next-lock.ts'
import {
  describePart,
  indexParts,
  type PartId,
  partKey,
  type PinnedPrompt,
} from '../../core/prompt.ts'
import {
  isReadable,
  type ListedPart,
  listedParts,
  type PromptService,
  type PromptSummary,
  type RefusedPart,
} from '../../core/service.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { assertKnownSlugs } from '../../errors/assert-known-slugs.ts'
import { PromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { findNamesakes } from '../../fs/git.ts'
import { type LockOrigin, type LockStore, readRequiredLock } from '../../fs/lock-store.ts'
import type { CallOptions } from '../../service/sender.ts'
import { keyMissing } from '../../service/hosted.ts'
import { readWorkspace } from '../../service/read-workspace.ts'
import { assertPinnable, describeLocks, type PullDraft } from './draft.ts'

export interface PullRequest extends CallOptions {
  /** Slugs to update. The rest of the lock, which must exist, stays. Default: all. */
  readonly slugs?: readonly string[] | undefined
  /** Read only what the list shows as changed, and what is staged. Default: false. */
  readonly changed?: boolean | undefined
  /** Accept a workspace that has no prompt of the lock, or none at all. Default: false. */
  readonly allowReplace?: boolean | undefined
  /** Whether there has to be a lock, also if all prompts are read. Default: false. */
  readonly needsLock?: boolean | undefined
}

/** Reads the service and compares it with the lock. Writes nothing, and locks nothing. */
export async function preparePull(
  service: PromptService,
  store: LockStore,
  options: ResolvedOptions,
  { slugs, changed = false, allowReplace = false, needsLock, ...call }: PullRequest,
): Promise<PullDraft> {
  const { isSelected, concurrency, secrets } = options
  // Before the content, so that a lock that changes in between is never taken for the one read.
  const base = await store.readHash()
  if (base === undefined && (needsLock || changed || slugs !== undefined))
    await failWithoutLock(store)
  // Which view apps would get must not depend on who pulls first.
  if (
    base === undefined &&
    service.readable.live !== 'all' &&
    options.served.chosenBy === 'default'
  )
    throw new PromptsError('ENVIRONMENT_MISSING', { workspace: store.workspace })
  const old = await readPreviousLock(store, slugs !== undefined)
  const isRequested = requestedParts(slugs, old)
  const held = indexParts(old.merged.filter((part) => part.held !== undefined))
  const workspace = await readWorkspace(service, {
    checkList: (entries) => allowReplace || assertRelated(entries, old, store),
    isSelected: (part) => isSelected(part) && isRequested(part) && !held.has(partKey(part)),
    findPinned: changed ? findUnchanged(old) : undefined,
    concurrency,
    ...call,
  })
  const { listed, planStatus, reads, lists } = workspace
  const answer = { ...workspace, entries: listed.filter(isSelected) }
  const known = [...old.merged, ...answer.entries]
  assertKnownSlugs(slugs, { where: 'The workspace', prompts: known, listed })
  const { lock, kept } = takeAnswer(old, answer, options, slugs)
  assertPinnable(lock.parts, secrets)
  if (lock.parts.length === 0 && !allowReplace) refuseEmpty(old, store, workspace.refused)
  const before = { parts: old.ours }
  const pinned = { previousLockError: old.error, merged: old.conflicts }
  const changes = {
    ...describeLocks(before, lock),
    skipped: [],
    held: heldPrompts(lock, listed),
    kept,
  }
  const isLiveRead =
    slugs === undefined && old.conflicts === undefined && service.readable.live === 'all'
  return { base, before, lock, ...changes, ...pinned, isLiveRead, planStatus, reads, lists }
}

/** In the root of a monorepo, a second lock would look like an update. */
async function failWithoutLock({ path, workspace }: LockOrigin): Promise<never> {
  const others = await findNamesakes(path)
  const details = others.length === 0 ? {} : { others }
  throw new PromptsError('LOCK_MISSING', { path, workspace, ...details })
}

/** The named prompts, or those of a conflict. */
function requestedParts(
  slugs: readonly string[] | undefined,
  { merged, conflicts }: PreviousLock,
): (part: PartId) => boolean {
  if (slugs !== undefined) return ({ slug }) => slugs.includes(slug)
  if (conflicts === undefined) return () => true
  const [conflicting, pinned] = [indexParts(conflicts), indexParts(merged)]
  // Without a live part, that of a conflict about staging is read, too: it may be published.
  return (part) =>
    conflicting.has(partKey(part)) ||
    (conflicting.has(partKey({ ...part, environment: 'test' })) && !pinned.has(partKey(part)))
}

/** The lock that follows from an answer, and what of it was not read. */
function takeAnswer(
  old: PreviousLock,
  answer: ServiceAnswer,
  { name, staging }: ResolvedOptions,
  slugs: PullRequest['slugs'],
): NextLock {
  const { merged, conflicts } = old
  const settled = settleConflicts(conflicts, answer, name)
  const pinned = { parts: [...merged, ...settled] }
  const conflicting = indexParts(conflicts ?? [])
  const isRequested = requestedParts(slugs, old)
  const { lock, kept } = nextLock(pinned, answer, { isRequested, staging })
  return {
    lock,
    kept: kept.map((part) => {
      const isDropped = part.reason === 'unread' && conflicting.has(partKey(part))
      return isDropped ? { ...part, reason: 'dropped' } : part
    }),
  }
}

/**
 * Settles the conflicts of parts that are listed but were not read: the side with the label of the list is taken.
 * Without such a side, a part that does not fit stays as it is in ours; of the others, which no key reads, a staging
 * part is left out, and a live part is an error.
 */
function settleConflicts(
  conflicts: readonly PartConflict[] = [],
  { entries, readable, refused = [] }: ListAnswer,
  workspace: string,
): PinnedPrompt[] {
  const misfits = indexParts(refused)
  const unread = indexParts(
    entries.flatMap((entry) =>
      listedParts(entry).filter((part) => !isReadable(entry, part, readable)),
    ),
  )
  return conflicts.flatMap(({ slug, environment, sides }) => {
    const key = partKey({ slug, environment })
    const misfit = misfits.get(key)
    const listed = misfit ?? unread.get(key)
    if (listed === undefined) return []
    const side = sides.find(({ version }) => version === listed.version)
    if (misfit !== undefined) return side ?? sides[0] ?? []
    if (side === undefined && environment === 'live') throw keyMissing(workspace, 'live')
    return side ?? []
  })
}

/** In a smaller lock all prompts may well be renamed. */
const ENOUGH_PROMPTS = 3

/** Refuses another workspace, such as that of a wrong key, before any metered read. */
function assertRelated(
  entries: readonly PromptSummary[],
  { ours }: PreviousLock,
  { path, workspace }: LockOrigin,
): void {
  const pinned = indexBySlug(ours)
  if (entries.length === 0 || pinned.size < ENOUGH_PROMPTS) return
  if (entries.some(({ slug }) => pinned.has(slug))) return
  const [count, known] = [entries.length, pinned.size]
  throw new PromptsError('PULL_UNRELATED', { count, known, path, workspace })
}

/** Also refuses when the lock can't be read, since it may hold any number of prompts. */
function refuseEmpty(
  { ours, error }: PreviousLock,
  { workspace }: LockOrigin,
  misfits: readonly RefusedPart[],
): void {
  const { size } = indexBySlug(ours)
  if (size === 0 && error === undefined) return
  const content = error === undefined ? `the lock has ${size}` : 'the broken lock may have some'
  const refused = misfits.map((part) => `${describePart(part)}: ${part.refused}`)
  const details = { held: content, workspace, ...(refused.length > 0 && { refused }) }
  throw new PromptsError('PULL_EMPTY', details, { cause: error })
}

/** The lock before a pull, as far as it can be used. */
interface PreviousLock extends Omit<RecoveredLock, 'conflicts'> {
  /** The parts that both sides of a merge conflict changed; `undefined` without a conflict. */
  readonly conflicts?: readonly PartConflict[]
  readonly error?: PromptsError
}

/**
 * Reads the lock that a pull replaces. A conflicted lock is merged. Of an edited lock, the valid
 * parts are used. Fails if a held part can't be kept.
 *
 * @param isRequired - whether there has to be a valid lock: one with only some prompts would look complete,
 *   since builds don't pull if there is a lock
 */
async function readPreviousLock(lock: LockStore, isRequired: boolean): Promise<PreviousLock> {
  try {
    const before = isRequired ? await readRequiredLock(lock) : await lock.read()
    return before ? { ours: before.parts, merged: before.parts } : { ours: [], merged: [] }
  } catch (error) {
    const isConflicted =
      isPromptsError(error, 'LOCK_CONFLICTED') || isPromptsError(error, 'LOCK_DUPLICATE')
    if (isRequired || !(isConflicted || isPromptsError(error, 'LOCK_EDITED'))) throw error
    const recovered = await lock.recover()
    if (recovered === 'unreadable') return { ours: [], merged: [], error }
    if (recovered !== 'held') {
      const { conflicts, ...parts } = recovered
      return isConflicted ? { ...parts, conflicts, error } : { ...parts, error }
    }
    const losesHold = true
    if (isPromptsError(error, 'LOCK_CONFLICTED'))
      throw new PromptsError('LOCK_CONFLICTED', { ...error.details, losesHold })
    if (!isPromptsError(error, 'LOCK_DUPLICATE')) throw error
    throw new PromptsError('LOCK_DUPLICATE', { ...error.details, losesHold })
  }
}

/**
 * Finds what `--changed` doesn't read: parts with the label of the list. Staging parts are always read, since
 * authors rewrite them under the same label.
 */
function findUnchanged({ merged }: PreviousLock): (part: ListedPart) => PinnedPrompt | undefined {
  const pinned = indexParts(merged)
  return (part) => (part.environment === 'test' ? undefined : pinned.get(partKey(part)))
}
