/**
 * The first step of a pull: the lock and the service become a plan. What of it is written is decided by a
 * person or by options, and then committed.
 */
import type { ResolvedOptions } from '../config/resolve-options.ts'
import { type HeldPrompt, heldPrompts } from '../core/drift.ts'
import { type FormerLock, type LostPart, type PartConflict } from '../core/lock/former-lock.ts'
import type { FaultyLock } from '../core/lock/canonical-lock.ts'
import {
  type KeptPart,
  type ListAnswer,
  type NextLock,
  nextLock,
  type ServiceAnswer,
} from '../core/next-lock.ts'
import {
  describePart,
  indexParts,
  type PartId,
  partKey,
  type PinnedPrompt,
} from '../core/prompt.ts'
import {
  isReadable,
  type ListedPart,
  listedParts,
  type PromptService,
  type PromptSummary,
  type RefusedPart,
} from '../core/service.ts'
import { indexBySlug } from '../core/text/order.ts'
import { assertKnownSlugs } from '../errors/assert-known-slugs.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { findNamesakes } from '../fs/git.ts'
import { lockError, type LockOrigin, type LockStore } from '../fs/lock-store.ts'
import type { CallOptions } from '../service/sender.ts'
import { keyMissing } from '../service/hosted.ts'
import { readWorkspace } from '../service/read-workspace.ts'
import { assertPinnable } from './pinnable.ts'
import type { Plan } from './plan.ts'

export interface PullRequest extends CallOptions {
  /** Slugs to update. The rest of the lock, which must exist, stays. Default: all. */
  readonly slugs?: readonly string[] | undefined
  /** Read only what the list shows as changed, and what is staged. Default: false. */
  readonly changed?: boolean | undefined
  /** Accept a workspace that has no prompt of the lock, or none at all. Default: false. */
  readonly allowReplace?: boolean | undefined
  /** Whether there has to be a lock, also if all prompts are read. Default: false. */
  readonly needsLock?: boolean | undefined
  /** Whether a damaged lock may be replaced, which a person has to confirm. Default: it is an error. */
  readonly repairs?: boolean | undefined
}

/** What only a pull knows. No decision changes it. */
export interface PullReport {
  /** The held parts, which were not read, and their pending updates. */
  readonly held: readonly HeldPrompt[]
  /** The parts that stay although the list has another version. */
  readonly kept: readonly KeptPart[]
  /** Whether every live part of the service was read, or is held. */
  readonly isLiveRead: boolean
  readonly planStatus: string
  /** Single reads, which services often meter. */
  readonly reads: number
  readonly lists: number
}

/** Reads the service and compares it with the lock. Writes nothing, and locks nothing. */
export async function preparePull(
  service: PromptService,
  store: LockStore,
  options: ResolvedOptions,
  { slugs, changed = false, allowReplace = false, needsLock, repairs, ...call }: PullRequest,
): Promise<{ readonly plan: Plan; readonly report: PullReport }> {
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
  const before = await store.readFormer()
  if (needsRepair(before, slugs) && !repairs) throw lockError(before.fault, store)
  const pinned = pinnedParts(before)
  const isRequested = requestedParts(slugs, before)
  const held = indexParts(pinned.filter((part) => part.held !== undefined))
  const workspace = await readWorkspace(service, {
    checkList: (entries) => allowReplace || assertRelated(entries, before, store),
    isSelected: (part) => isSelected(part) && isRequested(part) && !held.has(partKey(part)),
    findPinned: changed ? findUnchanged(pinned) : undefined,
    concurrency,
    ...call,
  })
  const { listed, remarks, planStatus, reads, lists } = workspace
  const answer = { ...workspace, entries: listed.filter(isSelected) }
  const known = [...pinned, ...answer.entries]
  assertKnownSlugs(slugs, { noun: 'prompt in the workspace', prompts: known, listed })
  const { lock: after, kept } = takeAnswer(before, answer, options, isRequested)
  if (before.kind === 'damaged') assertRead(before.lost, kept)
  assertPinnable(after.parts, secrets)
  if (after.parts.length === 0 && !allowReplace) refuseEmpty(before, store, workspace.refused)
  const isMerged = before.kind === 'whole' && before.fault !== undefined
  const isLiveRead = slugs === undefined && !isMerged && service.readable.live === 'all'
  return {
    plan: { base, before, after, edits: [], left: [], remarks },
    report: { held: heldPrompts(after, listed), kept, isLiveRead, planStatus, reads, lists },
  }
}

/** Whether there is no lock whose other parts stay. Slugs need one without a merge. */
function needsRepair(
  former: FormerLock,
  slugs: PullRequest['slugs'],
): former is FormerLock & { readonly fault: FaultyLock } {
  if (former.kind === 'none') return false
  return former.kind === 'damaged' || (slugs !== undefined && former.fault !== undefined)
}

/** The parts that stay unless the service has others. */
function pinnedParts(former: FormerLock): readonly PinnedPrompt[] {
  if (former.kind === 'none') return []
  return former.kind === 'whole' ? former.parts : former.known
}

/** In the root of a monorepo, a second lock would look like an update. */
async function failWithoutLock({ path, workspace }: LockOrigin): Promise<never> {
  const others = await findNamesakes(path)
  const details = others.length === 0 ? {} : { others }
  throw new PromptsError('LOCK_MISSING', { path, workspace, ...details })
}

/** The named prompts, or those that a merge left open. */
function requestedParts(
  slugs: readonly string[] | undefined,
  former: FormerLock,
): (part: PartId) => boolean {
  if (slugs !== undefined) return ({ slug }) => slugs.includes(slug)
  if (former.kind !== 'whole' || former.fault === undefined) return () => true
  const [conflicting, pinned] = [indexParts(former.open), indexParts(former.parts)]
  // Without a live part, that of a conflict about staging is read, too: it may be published.
  return (part) =>
    conflicting.has(partKey(part)) ||
    (conflicting.has(partKey({ ...part, environment: 'test' })) && !pinned.has(partKey(part)))
}

/** The lock that follows from an answer, and what of it was not read. */
function takeAnswer(
  former: FormerLock,
  answer: ServiceAnswer,
  { name, staging }: ResolvedOptions,
  isRequested: (part: PartId) => boolean,
): NextLock {
  const open = former.kind === 'whole' ? former.open : []
  const settled = settleConflicts(open, answer, name)
  const pinned = { parts: [...pinnedParts(former), ...settled] }
  const conflicting = indexParts(open)
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
  conflicts: readonly PartConflict[],
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
  former: FormerLock,
  { path, workspace }: LockOrigin,
): void {
  const pinned = formerPrompts(former)
  if (entries.length === 0 || pinned.size < ENOUGH_PROMPTS) return
  if (entries.some(({ slug }) => pinned.has(slug))) return
  const [count, known] = [entries.length, pinned.size]
  throw new PromptsError('PULL_UNRELATED', { count, known, path, workspace })
}

/** The prompts that the lock has, or had: of some, nobody knows the version. */
function formerPrompts(former: FormerLock): ReadonlyMap<string, PartId> {
  if (former.kind === 'none') return new Map()
  const open = former.kind === 'whole' ? former.open : former.lost
  return indexBySlug<PartId>([...pinnedParts(former), ...open])
}

/** Also refuses when the lock can't be read, since it may hold any number of prompts. */
function refuseEmpty(former: FormerLock, store: LockOrigin, misfits: readonly RefusedPart[]): void {
  const { size } = formerPrompts(former)
  const isDamaged = former.kind === 'damaged'
  if (size === 0 && !isDamaged) return
  const held = isDamaged ? 'the broken lock may have some' : `the lock has ${size}`
  const refused = misfits.map((part) => `${describePart(part)}: ${part.refused}`)
  const { workspace } = store
  const details = { held, workspace, ...(refused.length > 0 && { refused }) }
  const cause = isDamaged ? lockError(former.fault, store) : undefined
  throw new PromptsError('PULL_EMPTY', details, { cause })
}

/** A lost part that is listed has to be read: nothing else has its text. */
function assertRead(lost: readonly LostPart[], kept: readonly KeptPart[]): void {
  const unread = indexParts(kept)
  const parts = lost.flatMap((part) => {
    const { reason, refused } = unread.get(partKey(part)) ?? {}
    if (reason === undefined) return []
    const why = reason === 'refused' ? refused : `there is no ${part.environment} key`
    return `${describePart(part)}: ${why}`
  })
  if (parts.length > 0) throw new PromptsError('PART_LOST', { parts })
}

/**
 * Finds what `--changed` doesn't read: parts with the label of the list. Staging parts are always read, since
 * authors rewrite them under the same label.
 */
function findUnchanged(
  parts: readonly PinnedPrompt[],
): (part: ListedPart) => PinnedPrompt | undefined {
  const pinned = indexParts(parts)
  return (part) => (part.environment === 'test' ? undefined : pinned.get(partKey(part)))
}
