import type { Lock } from '../../core/prompt.ts'
import { compareCodePoints } from '../../core/text/order.ts'
import type { Usage, UsageRequest, UsageSite } from '../../analysis/app/analyse-usage.ts'

export type { Place, UsageRequest, UsageSite } from '../../analysis/app/analyse-usage.ts'

/** One pinned prompt and who uses it. */
export interface PromptUsage {
  readonly slug: string
  /** By file and place. */
  readonly sites: readonly UsageSite[]
  /** The files that use it, and those that import them, directly or through others; sorted. */
  readonly files: readonly string[]
}

/** Who uses what, and what nobody does. */
export interface UsageReport extends Pick<Usage, 'escapes'> {
  /** One for each prompt of the lock, in its order. */
  readonly prompts: readonly PromptUsage[]
  /**
   * Slugs without a use. Only likely while there are {@link Usage.escapes}: each prompt may be
   * used behind one.
   */
  readonly unused: readonly string[]
  /** Uses in code that runs in a browser, as far as that can be known. */
  readonly client: readonly UsageSite[]
  /** What a whole pull spends of metered reads: one for each prompt. */
  readonly reads: { readonly unused: number; readonly total: number }
}

/**
 * Finds who uses which prompt of a lock. Nothing is written.
 *
 * @throws PromptsError TSCONFIG_INVALID, TYPES_NOT_FOUND
 */
export async function findUsage(request: UsageRequest): Promise<UsageReport> {
  const { analyseUsage } = await import('../../analysis/app/analyse-usage.ts')
  return reportOf(request.lock, analyseUsage(request))
}

function reportOf({ prompts: pinned }: Lock, { sites, escapes, files }: Usage): UsageReport {
  const prompts = pinned.map(({ slug }) => ({
    slug,
    sites: sites.filter((site) => site.slug === slug),
    files: [...(files.get(slug) ?? [])].toSorted(compareCodePoints),
  }))
  const unused = prompts.filter((prompt) => prompt.sites.length === 0).map(({ slug }) => slug)
  return {
    prompts,
    unused,
    escapes,
    client: sites.filter(({ client }) => client !== undefined),
    reads: { unused: unused.length, total: pinned.length },
  }
}
