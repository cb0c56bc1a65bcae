import { comparePrompts, type PromptChange } from '../../core/compare.ts'
import type { Lock } from '../../core/prompt.ts'
import type { PromptService } from '../../core/service.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { PromptFilter } from '../../config/prompt-filter.ts'
import { type Progress, readWorkspace } from '../../service/read-workspace.ts'

/** What to compare a lock with. */
export interface DiffRequest {
  /** The lock; it need not be of the service's environment. */
  readonly before: Lock
  /** Which prompts the app pins. */
  readonly isSelected: PromptFilter
  /** Only these prompts. Default: all. */
  readonly slugs?: readonly string[] | undefined
  /** Single reads in flight. */
  readonly concurrency: number
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** How the service differs from a lock. */
export interface DiffReport {
  /** One for each prompt of either side, by code point of the slug. */
  readonly changes: readonly PromptChange[]
  /** In the service's own words. */
  readonly planStatus: string
  /** Single reads, which services commonly meter. */
  readonly reads: number
}

/**
 * Compares a lock with all that the service serves, texts and settings; writes nothing.
 *
 * @throws PromptsError SLUG_UNKNOWN for a slug that neither side has, and what
 *   {@link readWorkspace} throws
 */
export async function diffWorkspace(
  service: PromptService,
  { before, isSelected, slugs, concurrency, onProgress }: DiffRequest,
): Promise<DiffReport> {
  const isRequested = ({ slug }: { readonly slug: string }): boolean =>
    slugs?.includes(slug) ?? true
  const pinned = before.prompts.filter(isRequested)
  const { prompts, listed, planStatus, reads } = await readWorkspace(service, {
    isSelected: (entry) => isSelected(entry) && isRequested(entry),
    findPinned: () => undefined,
    concurrency,
    onProgress,
  })
  const found = new Set([...pinned, ...prompts].map(({ slug }) => slug))
  const unknown = (slugs ?? []).filter((slug) => !found.has(slug))
  if (unknown.length > 0) {
    const known = [...before.prompts.map(({ slug }) => slug), ...listed]
    throw new PromptsError('SLUG_UNKNOWN', { slugs: unknown, where: 'The workspace', known })
  }
  return { changes: comparePrompts(pinned, prompts), planStatus, reads }
}
