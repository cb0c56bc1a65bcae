import { compareLocks, countUnchanged, type PromptChange } from '../../core/compare.ts'
import { type HeldPrompt, heldPrompts, listedPrompts } from '../../core/drift.ts'
import { type KeptPart, nextLock } from '../../core/next-lock.ts'
import {
  indexParts,
  type Lock,
  type PartId,
  partKey,
  type PinnedPrompt,
  withParts,
} from '../../core/prompt.ts'
import { type ListedPart, listedParts, type PromptSummary } from '../../core/service.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { assertKnownSlugs } from '../../errors/assert-known-slugs.ts'
import type { CallOptions } from '../../service/sender.ts'
import { readWorkspace } from '../../service/read-workspace.ts'
import type { Project, ServiceCall } from '../project/project.ts'

interface DiffRequest extends CallOptions {
  readonly before: Lock
  /** Only these prompts. Default: all but the held parts. */
  readonly slugs?: readonly string[] | undefined
  /** Whether the text of a part is read. Default: every text is read. */
  readonly isRead?: ((part: PartId) => boolean) | undefined
}

export interface DiffReport {
  /** Live parts, then staging parts, each by code point of the slug. */
  readonly changes: readonly PromptChange[]
  /** The number of prompts that were compared and are the same. */
  readonly unchanged: number
}

export interface ServiceDiffReport extends DiffReport {
  /** The held parts, which are only compared if they were asked for. */
  readonly held: readonly HeldPrompt[]
  /** The parts that no key at hand reads, and other updates that can't be taken. */
  readonly kept: readonly KeptPart[]
  /** Changed parts whose texts were not read. */
  readonly unread: readonly PartId[]
  /** As the service returned it. */
  readonly planStatus: string
  /** Single reads, which services often meter. */
  readonly reads: number
}

/** Compares a lock with the service, texts and settings included. Writes nothing. */
export async function readDiff(
  project: Project,
  { before, slugs, isRead = () => true, ...call }: DiffRequest,
): Promise<ServiceDiffReport> {
  const { isSelected, staging } = project.options
  const asked = selectParts(before, slugs)
  const held = indexParts(asked.parts.filter((part) => part.held !== undefined))
  const heldSlugs = indexBySlug(before.parts.filter((part) => part.held !== undefined))
  const isCompared = (entry: Pick<PromptSummary, 'slug' | 'folder'>): boolean =>
    (slugs?.includes(entry.slug) ?? true) && (isSelected(entry) || heldSlugs.has(entry.slug))
  const isWanted = (part: ListedPart): boolean =>
    isCompared(part) && isRead(part) && !held.has(partKey(part))
  const workspace = await readParts(project, isWanted, call)
  const { listed, planStatus, reads } = workspace
  assertKnownSlugs(slugs, {
    where: 'The workspace',
    prompts: [...asked.parts, ...listed.filter(isSelected)],
    listed: [...before.parts, ...listed],
  })
  const entries = listed.filter(isCompared)
  const read = indexParts(workspace.parts)
  const parts = listedPrompts(asked, entries).map((part) => read.get(partKey(part)) ?? part)
  const { lock, kept } = nextLock(asked, { ...workspace, entries, parts }, { staging })
  const changes = compareLocks(asked, lock)
  return {
    changes,
    unchanged: countUnchanged(lock, changes),
    held: heldPrompts(before, listed),
    kept,
    unread: changes
      .filter(({ after }) => after && !read.has(partKey(after)))
      .map(({ slug, environment }) => ({ slug, environment })),
    planStatus,
    reads,
  }
}

function readParts(
  { options, withService }: Project,
  isSelected: (part: ListedPart) => boolean,
  call: ServiceCall,
) {
  const { concurrency } = options
  return withService(
    (service) => readWorkspace(service, { isSelected, concurrency, ...call }),
    call,
  )
}

/** The parts of the named prompts, which are compared although they are held; or all parts. */
function selectParts(lock: Lock, slugs: readonly string[] | undefined): Lock {
  if (slugs === undefined) return lock
  const parts = lock.parts.filter(({ slug }) => slugs.includes(slug))
  return { ...lock, parts: parts.map((part) => ({ ...part, held: undefined })) }
}

/**
 * Compares two locks.
 *
 * @param slugs - only these prompts; all if it is left out
 */
export function diffLocks(before: Lock, after: Lock, slugs?: readonly string[]): DiffReport {
  const all = [...before.parts, ...after.parts]
  assertKnownSlugs(slugs, { where: 'This comparison', prompts: all })
  const isRequested = ({ slug }: PartId): boolean => slugs?.includes(slug) ?? true
  const now = { ...after, parts: after.parts.filter(isRequested) }
  const changes = compareLocks({ parts: before.parts.filter(isRequested) }, now)
  return { changes, unchanged: countUnchanged(now, changes) }
}

/** Returns a lock with the names that the service adds, since code may use them already. */
export async function readAddedNames(
  { options, withService }: Project,
  before: Lock,
  call: ServiceCall,
): Promise<Lock> {
  const { prompts: entries } = await withService((service) => service.list(), call)
  const pinned = indexBySlug(before.parts)
  const added = entries.filter((entry) => !pinned.has(entry.slug) && options.isSelected(entry))
  return withParts(before, listedPrompts(before, added))
}

/** What code that uses the live view would get if every staging version were live. */
interface IfPublished {
  /** The lock with the staging versions that the service has now. */
  readonly before: Lock
  /** How it differs from the same with these as live versions, too. */
  readonly report: ServiceDiffReport
}

/**
 * Reads the staging versions, and compares them with the live parts of a lock. A staging version that no key
 * at hand reads is in `kept`; the pinned one stands for it, if there is one. Held live parts stay.
 */
export async function readIfPublished(
  project: Project,
  { before: lock, slugs, isRead = () => true, ...call }: DiffRequest,
): Promise<IfPublished> {
  const pinned = indexParts(lock.parts)
  const isAsked = (entry: Pick<PinnedPrompt, 'slug' | 'folder'>): boolean => {
    if (slugs !== undefined) return slugs.includes(entry.slug)
    const live = pinned.get(partKey({ ...entry, environment: 'live' }))
    return live?.held === undefined && project.options.isSelected(entry)
  }
  const isStaging = ({ environment }: PartId): boolean => environment === 'test'
  const isWanted = (part: ListedPart): boolean => isStaging(part) && isAsked(part) && isRead(part)
  // Also where the lock has no staging parts.
  const workspace = await readParts(project, isWanted, { ...call, staging: true })
  const { listed, readable, planStatus, reads } = workspace
  const canRead = readable.staging
  const entries = listed.filter(isAsked)
  const staged = entries.flatMap(listedParts).filter(isStaging)
  const read = indexParts(workspace.parts)
  const others = canRead ? indexParts(listedPrompts(lock, entries)) : pinned
  const drafts = staged
    .flatMap((part) => read.get(partKey(part)) ?? others.get(partKey(part)) ?? [])
    .map((draft) => ({ ...draft, held: undefined }))
  const before = withParts(lock, drafts)
  const after = withParts(
    before,
    drafts.map((draft) => ({ ...draft, environment: 'live' })),
  )
  const { changes, unchanged } = diffLocks(before, after, slugs)
  const isUnread = ({ slug }: PartId): boolean =>
    canRead && !read.has(partKey({ slug, environment: 'test' }))
  const report = {
    changes,
    unchanged,
    held: heldPrompts(lock, listed),
    kept: canRead ? [] : staged.map((part) => unreadPart(part, pinned.get(partKey(part)))),
    unread: changes.filter(isUnread).map(({ slug, environment }) => ({ slug, environment })),
    planStatus,
    reads,
  }
  return { before, report }
}

/** A staging version that no key at hand reads. */
function unreadPart(
  { slug, environment, version: listed }: ListedPart,
  pinned: PinnedPrompt | undefined,
): KeptPart {
  return { slug, environment, version: pinned?.version ?? null, listed, reason: 'unread' }
}
