import { comparePrompts, type PromptChange } from '../../core/compare.ts'
import { type HeldPrompt, heldPrompts } from '../../core/drift.ts'
import type { Lock } from '../../core/prompt.ts'
import type { PromptService } from '../../core/service.ts'
import { PromptsError } from '../../errors/catalogue.ts'
import type { PromptFilter } from '../../config/options.ts'
import { type Progress, readWorkspace } from '../../service/read-workspace.ts'

/** What to compare a lock with. */
export interface DiffRequest {
  /** The lock; it need not be of the service's environment. */
  readonly before: Lock
  /** Which prompts the app pins. */
  readonly selects: PromptFilter
  /** Only these prompts. Default: all but the held ones. */
  readonly slugs?: readonly string[] | undefined
  /** Single reads in flight. */
  readonly concurrency: number
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** How the service differs from a lock. */
export interface DiffReport {
  /** One for each prompt of either side that was compared, by code point of the slug. */
  readonly changes: readonly PromptChange[]
  /** The held prompts, which are only compared if they were asked for. */
  readonly held: readonly HeldPrompt[]
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
  { before, selects, slugs, concurrency, onProgress }: DiffRequest,
): Promise<DiffReport> {
  const heldSlugs = new Set(heldPrompts(before).map(({ slug }) => slug))
  const isRequested = ({ slug }: { readonly slug: string }): boolean =>
    slugs?.includes(slug) ?? !heldSlugs.has(slug)
  const pinned = before.prompts.filter(isRequested)
  const { prompts, listed, planStatus, reads } = await readWorkspace(service, {
    wants: (entry) => (selects(entry) || heldSlugs.has(entry.slug)) && isRequested(entry),
    known: () => undefined,
    concurrency,
    onProgress,
  })
  const found = new Set([...pinned, ...prompts].map(({ slug }) => slug))
  const unknown = (slugs ?? []).filter((slug) => !found.has(slug))
  if (unknown.length > 0) {
    const known = [...before.prompts, ...listed].map(({ slug }) => slug)
    throw new PromptsError('SLUG_UNKNOWN', { slugs: unknown, where: 'The workspace', known })
  }
  const { environment } = service
  const held = heldPrompts(before, { entries: listed, environment })
  return { changes: comparePrompts(pinned, prompts), held, planStatus, reads }
}
