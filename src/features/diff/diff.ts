import { comparePrompts, type PromptChange } from '../../core/compare.ts'
import { type HeldPrompt, heldPrompts } from '../../core/drift.ts'
import type { Lock } from '../../core/prompt.ts'
import type { PromptService } from '../../core/service.ts'
import { assertKnownSlugs } from '../../errors/assert-known-slugs.ts'
import type { PromptFilter } from '../../config/prompt-filter.ts'
import { type Progress, readWorkspace } from '../../service/read-workspace.ts'

/** What to compare a lock with. */
export interface DiffRequest {
  /** The lock, of either environment. */
  readonly before: Lock
  /** Selects the prompts that the app pins. */
  readonly isSelected: PromptFilter
  /** Only these prompts. Default: all but the held ones. */
  readonly slugs?: readonly string[] | undefined
  /** Maximum number of concurrent reads. */
  readonly concurrency: number
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** How two snapshots differ. */
export interface DiffReport {
  /** One for each prompt of either side that was compared, by code point of the slug. */
  readonly changes: readonly PromptChange[]
}

/** The differences between the service and a lock. */
export interface ServiceDiffReport extends DiffReport {
  /** The held prompts, which are only compared if they were asked for. */
  readonly held: readonly HeldPrompt[]
  /** As the service returned it. */
  readonly planStatus: string
  /** Single reads, which services often meter. */
  readonly reads: number
}

/**
 * Compares a lock with the service, texts and settings included. Writes nothing.
 *
 * @throws PromptsError SLUG_UNKNOWN for a slug that neither side has; what {@link readWorkspace}
 *   throws
 */
export async function diffWorkspace(
  service: PromptService,
  { before, isSelected, slugs, concurrency, onProgress }: DiffRequest,
): Promise<ServiceDiffReport> {
  const heldSlugs = new Set(heldPrompts(before).map(({ slug }) => slug))
  const isRequested =
    slugs === undefined ? (prompt: HasSlug) => !heldSlugs.has(prompt.slug) : isOneOf(slugs)
  const pinned = before.prompts.filter(isRequested)
  const { prompts, listed, planStatus, reads } = await readWorkspace(service, {
    isSelected: (entry) => (isSelected(entry) || heldSlugs.has(entry.slug)) && isRequested(entry),
    findPinned: () => undefined,
    concurrency,
    onProgress,
  })
  assertKnownSlugs(slugs, {
    where: 'The workspace',
    found: [...pinned, ...prompts],
    listed: [...before.prompts, ...listed],
  })
  const { environment } = service
  const held = heldPrompts(before, { entries: listed, environment })
  return { changes: comparePrompts(pinned, prompts), held, planStatus, reads }
}

/**
 * Compares two locks.
 *
 * @param slugs - only these prompts; all if it is left out
 * @throws PromptsError SLUG_UNKNOWN for a slug that neither lock has
 */
export function diffLocks(before: Lock, after: Lock, slugs?: readonly string[]): DiffReport {
  const found = [...before.prompts, ...after.prompts]
  assertKnownSlugs(slugs, { where: 'This comparison', found })
  const isRequested = isOneOf(slugs)
  return {
    changes: comparePrompts(before.prompts.filter(isRequested), after.prompts.filter(isRequested)),
  }
}

interface HasSlug {
  readonly slug: string
}

function isOneOf(slugs: readonly string[] | undefined): (prompt: HasSlug) => boolean {
  return ({ slug }) => slugs?.includes(slug) ?? true
}
