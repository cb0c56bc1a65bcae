import { comparePrompts, countUnchanged, type PromptChange } from '../../core/compare.ts'
import { type HeldPrompt, heldPrompts, listedPrompt } from '../../core/drift.ts'
import type { Lock, PinnedPrompt } from '../../core/prompt.ts'
import type { PromptSummary } from '../../core/service.ts'
import { indexBySlug, sortBySlug } from '../../core/text/order.ts'
import { assertKnownSlugs } from '../../errors/assert-known-slugs.ts'
import type { CallOptions } from '../../service/client.ts'
import { readWorkspace } from '../../service/read-workspace.ts'
import type { Project } from '../project/project.ts'

/** What to compare, and how to call the service. */
export interface DiffRequest extends CallOptions {
  /** The lock, of either environment. */
  readonly before: Lock
  /** Only these prompts. Default: all but the held ones. */
  readonly slugs?: readonly string[] | undefined
  /** Whether code uses a prompt: only then its text is read. Default: every text is read. */
  readonly isUsed?: ((slug: string) => boolean) | undefined
}

/** How two locks differ. */
export interface DiffReport {
  /** By code point of the slug. */
  readonly changes: readonly PromptChange[]
  /** The number of prompts that were compared and are the same. */
  readonly unchanged: number
}

/** The differences between the service and a lock. */
export interface ServiceDiffReport extends DiffReport {
  /** The held prompts, which are only compared if they were asked for. */
  readonly held: readonly HeldPrompt[]
  /** Changed prompts whose texts were not read, since no code uses them. */
  readonly unread: readonly string[]
  /** As the service returned it. */
  readonly planStatus: string
  /** Single reads, which services often meter. */
  readonly reads: number
}

/**
 * Compares a lock with the service, texts and settings included. Writes nothing.
 *
 * @throws PromptsError KEY_MISSING; SLUG_UNKNOWN for a slug that neither side has; what
 *   {@link readWorkspace} throws
 */
export async function readDiff(
  project: Pick<Project, 'options' | 'withService'>,
  { before, slugs, isUsed = () => true, ...call }: DiffRequest,
): Promise<ServiceDiffReport> {
  const { isSelected, concurrency, environment } = project.options
  const isHeld = new Set(heldPrompts(before).map(({ slug }) => slug))
  const isRequested = ({ slug }: PinnedPrompt | PromptSummary): boolean =>
    slugs?.includes(slug) ?? !isHeld.has(slug)
  const isCompared = (entry: PromptSummary): boolean =>
    (isSelected(entry) || isHeld.has(entry.slug)) && isRequested(entry)
  const isRead = (entry: PromptSummary): boolean => isCompared(entry) && isUsed(entry.slug)
  const { prompts, listed, planStatus, reads } = await project.withService(
    (service) => readWorkspace(service, { isSelected: isRead, concurrency, ...call }),
    call,
  )
  const pinned = before.prompts.filter(isRequested)
  assertKnownSlugs(slugs, {
    where: 'The workspace',
    prompts: [...pinned, ...prompts],
    listed: [...before.prompts, ...listed],
  })
  const [old, read] = [indexBySlug(pinned), indexBySlug(prompts)]
  const after = listed
    .filter(isCompared)
    .map((entry) => read.get(entry.slug) ?? listedPrompt(entry, environment, old.get(entry.slug)))
  const changes = comparePrompts(pinned, after)
  return {
    changes,
    unchanged: countUnchanged(after, changes),
    held: heldPrompts(before, { entries: listed, environment }),
    unread: changes.flatMap(({ kind, slug }) =>
      kind === 'removed' || read.has(slug) ? [] : [slug],
    ),
    planStatus,
    reads,
  }
}

/** Returns a lock with the names that the service adds, since code may use them already. */
export async function readAddedNames(
  { options, withService }: Pick<Project, 'options' | 'withService'>,
  before: Lock,
  call: CallOptions,
): Promise<Lock> {
  const { prompts: entries } = await withService((service) => service.list(), call)
  const pinned = indexBySlug(before.prompts)
  const added = entries.filter((entry) => !pinned.has(entry.slug) && options.isSelected(entry))
  const listed = added.map((entry) => listedPrompt(entry, before.environment))
  return { ...before, prompts: sortBySlug([...before.prompts, ...listed]) }
}

/**
 * Compares two locks.
 *
 * @param slugs - only these prompts; all if it is left out
 * @throws PromptsError SLUG_UNKNOWN for a slug that neither lock has
 */
export function diffLocks(before: Lock, after: Lock, slugs?: readonly string[]): DiffReport {
  const all = [...before.prompts, ...after.prompts]
  assertKnownSlugs(slugs, { where: 'This comparison', prompts: all })
  const isRequested = ({ slug }: PinnedPrompt): boolean => slugs?.includes(slug) ?? true
  const prompts = after.prompts.filter(isRequested)
  const changes = comparePrompts(before.prompts.filter(isRequested), prompts)
  return { changes, unchanged: countUnchanged(prompts, changes) }
}
