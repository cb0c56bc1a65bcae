import { compareLocks, countUnchanged, type PromptChange } from '../../core/compare.ts'
import { type HeldPrompt, heldPrompts, listedPrompts, withoutHolds } from '../../core/drift.ts'
import { type KeptPart, nextLock } from '../../core/next-lock.ts'
import {
  describePart,
  indexParts,
  type Lock,
  type PartId,
  partKey,
  type PinnedPrompt,
  withParts,
} from '../../core/prompt.ts'
import {
  type ListedPart,
  listedParts,
  type PromptSummary,
  type Remarks,
} from '../../core/service.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { keyVariables } from '../../core/workspace-name.ts'
import { assertKnownSlugs } from '../../errors/assert-known-slugs.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { CallOptions } from '../../service/sender.ts'
import { readWorkspace } from '../../service/read-workspace.ts'
import type { Project } from '../project/project.ts'
import type { ServiceCall } from '../project/with-service.ts'

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
  /** The number of prompts that were compared and are the same; without those of which no text was read. */
  readonly unchanged: number
}

export interface ServiceDiffReport extends DiffReport {
  /** The held parts, which are only compared if they were asked for. */
  readonly held: readonly HeldPrompt[]
  /** The parts that no key at hand reads, and other updates that can't be taken. */
  readonly kept: readonly KeptPart[]
  /** Compared parts whose texts were not read, different or not. */
  readonly unread: readonly PartId[]
  /** As the service returned it. */
  readonly planStatus: string
  /** Single reads, which services often meter. */
  readonly reads: number
  readonly remarks: ReadonlyMap<string, Remarks>
}

/** Compares a lock with the service, texts and settings included. Writes nothing. */
export async function readDiff(
  project: Project,
  { before, slugs, isRead = () => true, ...call }: DiffRequest,
): Promise<ServiceDiffReport> {
  const { isSelected, staging } = project.options
  const asked = selectParts(before, slugs)
  const held = indexParts(asked.parts.filter((part) => part.held !== undefined))
  const isCompared = (entry: Pick<PromptSummary, 'slug' | 'folder'>): boolean =>
    (slugs?.includes(entry.slug) ?? true) && isSelected(entry)
  const isWanted = (part: ListedPart): boolean =>
    isCompared(part) && isRead(part) && !held.has(partKey(part))
  const workspace = await readParts(project, isWanted, call)
  const { listed, planStatus, reads, remarks } = workspace
  assertKnownSlugs(slugs, {
    noun: 'prompt in the workspace',
    prompts: [...asked.parts, ...listed.filter(isSelected)],
    listed: [...before.parts, ...listed],
  })
  const entries = listed.filter(isCompared)
  const read = indexParts(workspace.parts)
  const parts = listedPrompts(asked, entries).map((part) => read.get(partKey(part)) ?? part)
  const { lock, kept } = nextLock(asked, { ...workspace, entries, parts }, { staging })
  const changes = compareLocks(asked, lock)
  const [known, unread] = separate(
    lock.parts,
    (part) => read.has(partKey(part)) || held.has(partKey(part)),
  )
  return {
    changes,
    unchanged: countUnchanged({ ...lock, parts: known }, changes),
    held: heldPrompts(before, listed),
    kept,
    unread: unread.map(({ slug, environment }) => ({ slug, environment })),
    planStatus,
    reads,
    remarks,
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
  return withoutHolds({ parts: lock.parts.filter(({ slug }) => slugs.includes(slug)) })
}

/**
 * Compares two locks.
 *
 * @param slugs - only these prompts; all if it is left out
 */
export function diffLocks(before: Lock, after: Lock, slugs?: readonly string[]): DiffReport {
  const all = [...before.parts, ...after.parts]
  assertKnownSlugs(slugs, { noun: 'prompt in this comparison', prompts: all })
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
  readonly report: Omit<ServiceDiffReport, 'held'>
}

/**
 * Reads the staging versions, and compares them with the live parts of a lock. A hold says what a pull takes
 * and not what is published, so it makes no difference.
 *
 * @throws PromptsError KEY_MISSING if there is a staging version and no key that reads it
 */
export async function readIfPublished(
  project: Project,
  { before: lock, slugs, isRead = () => true, ...call }: DiffRequest,
): Promise<IfPublished> {
  const { isSelected, name } = project.options
  const pinned = indexBySlug(lock.parts)
  const isAsked = (entry: Pick<PinnedPrompt, 'slug' | 'folder'>): boolean =>
    slugs?.includes(entry.slug) ?? (isSelected(entry) || pinned.has(entry.slug))
  const isStaging = ({ environment }: PartId): boolean => environment === 'test'
  const isWanted = (part: ListedPart): boolean => isStaging(part) && isAsked(part) && isRead(part)
  // Also where the lock has no staging parts.
  const workspace = await readParts(project, isWanted, { ...call, staging: true })
  const { listed, readable, planStatus, reads, remarks } = workspace
  const entries = listed.filter(isAsked)
  const staged = entries.flatMap(listedParts).filter(isStaging)
  if (staged.length > 0 && !readable.staging)
    throw new PromptsError('KEY_MISSING', {
      variable: keyVariables(name).test,
      kind: 'test',
      parts: staged.map((part) => `${describePart(part)} ${part.version}`),
    })
  const read = indexParts(workspace.parts)
  const labels = indexParts(listedPrompts(lock, entries))
  const { kept } = nextLock(withoutHolds(lock), { ...workspace, entries })
  // Once they are live, a pull leaves them too.
  const misfits = indexParts(kept.filter(({ reason }) => reason === 'refused'))
  const fitting = staged.filter((part) => !misfits.has(partKey(part)))
  const [known, unread] = separate(fitting, (part) => read.has(partKey(part)))
  const drafts = [
    ...known.flatMap((part) => read.get(partKey(part)) ?? []),
    ...unread.flatMap((part) => labels.get(partKey(part)) ?? []),
  ]
  const before = withParts(lock, drafts)
  const after = withParts(
    before,
    drafts.map((draft) => ({ ...draft, environment: 'live' })),
  )
  const { changes, unchanged } = diffLocks(before, after, slugs)
  const report = {
    changes,
    unchanged,
    kept: [...misfits.values()],
    unread: unread.map(({ slug }) => ({ slug, environment: 'live' as const })),
    planStatus,
    reads,
    remarks,
  }
  return { before, report }
}

/** Those for which a condition is true, and the others. */
function separate<T>(values: readonly T[], isTrue: (value: T) => boolean): [T[], T[]] {
  return [values.filter(isTrue), values.filter((value) => !isTrue(value))]
}
