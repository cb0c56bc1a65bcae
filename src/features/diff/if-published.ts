import { heldPrompts, listedPrompts } from '../../core/drift.ts'
import {
  indexParts,
  type Lock,
  type PartId,
  partKey,
  type PinnedPrompt,
  withParts,
} from '../../core/prompt.ts'
import type { KeptPart } from '../../core/next-lock.ts'
import { type ListedPart, listedParts } from '../../core/service.ts'
import { readWorkspace } from '../../service/read-workspace.ts'
import type { Project } from '../project/project.ts'
import { diffLocks, type DiffRequest, type ServiceDiffReport } from './diff.ts'

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
  { options, withService }: Pick<Project, 'options' | 'withService'>,
  { before: lock, slugs, isRead = () => true, ...call }: DiffRequest,
): Promise<IfPublished> {
  const pinned = indexParts(lock.parts)
  const isAsked = (entry: Pick<PinnedPrompt, 'slug' | 'folder'>): boolean => {
    if (slugs !== undefined) return slugs.includes(entry.slug)
    const live = pinned.get(partKey({ ...entry, environment: 'live' }))
    return live?.held === undefined && options.isSelected(entry)
  }
  const isStaging = ({ environment }: PartId): boolean => environment === 'test'
  const { concurrency } = options
  const workspace = await withService(
    (service) =>
      readWorkspace(service, {
        isSelected: (part) => isStaging(part) && isAsked(part) && isRead(part),
        concurrency,
        ...call,
      }),
    // Also where the lock has no staging parts.
    { ...call, staging: true },
  )
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
