import { compareLocks, countUnchanged, type PromptChange } from '../../core/compare.ts'
import { type HeldPrompt, heldPrompts, listedPrompts } from '../../core/drift.ts'
import { type KeptPart, nextLock } from '../../core/next-lock.ts'
import { indexParts, type Lock, type PartId, partKey, withParts } from '../../core/prompt.ts'
import type { PromptSummary } from '../../core/service.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { assertKnownSlugs } from '../../errors/assert-known-slugs.ts'
import type { CallOptions } from '../../service/sender.ts'
import { readWorkspace } from '../../service/read-workspace.ts'
import type { Project, ServiceCall } from '../project/project.ts'

export interface DiffRequest extends CallOptions {
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
  project: Pick<Project, 'options' | 'withService'>,
  { before, slugs, isRead = () => true, ...call }: DiffRequest,
): Promise<ServiceDiffReport> {
  const { isSelected, concurrency, staging } = project.options
  const asked = selectParts(before, slugs)
  const held = indexParts(asked.parts.filter((part) => part.held !== undefined))
  const heldSlugs = indexBySlug(before.parts.filter((part) => part.held !== undefined))
  const isCompared = (entry: Pick<PromptSummary, 'slug' | 'folder'>): boolean =>
    (slugs?.includes(entry.slug) ?? true) && (isSelected(entry) || heldSlugs.has(entry.slug))
  const workspace = await project.withService(
    (service) =>
      readWorkspace(service, {
        isSelected: (part) => isCompared(part) && isRead(part) && !held.has(partKey(part)),
        concurrency,
        ...call,
      }),
    call,
  )
  const { listed, readable, planStatus, reads } = workspace
  assertKnownSlugs(slugs, {
    where: 'The workspace',
    prompts: [...asked.parts, ...listed.filter(isSelected)],
    listed: [...before.parts, ...listed],
  })
  const entries = listed.filter(isCompared)
  const read = indexParts(workspace.parts)
  const parts = listedPrompts(asked, entries).map((part) => read.get(partKey(part)) ?? part)
  const { lock, kept } = nextLock(asked, { entries, readable, parts }, { staging })
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
  { options, withService }: Pick<Project, 'options' | 'withService'>,
  before: Lock,
  call: ServiceCall,
): Promise<Lock> {
  const { prompts: entries } = await withService((service) => service.list(), call)
  const pinned = indexBySlug(before.parts)
  const added = entries.filter((entry) => !pinned.has(entry.slug) && options.isSelected(entry))
  return withParts(before, listedPrompts(before, added))
}
