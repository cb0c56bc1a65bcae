import type { Lock } from '../../core/prompt.ts'
import { compareCodePoints } from '../../core/text/order.ts'
import type { Usage, UsageRequest, UsageSite } from '../../analysis/app/analyse-usage.ts'

export type { UsageRequest, UsageSite } from '../../analysis/app/analyse-usage.ts'

/** One pinned prompt and its uses. */
export interface PromptUsage {
  readonly slug: string
  /** Sorted by file and position. */
  readonly sites: readonly UsageSite[]
  /** The files that use it, and those that import them, directly or through others; sorted. */
  readonly files: readonly string[]
}

/** The uses of all prompts, and the unused ones. */
export interface UsageReport extends Pick<Usage, 'escapes'> {
  /** One per prompt of the lock, in its order. */
  readonly prompts: readonly PromptUsage[]
  /**
   * Slugs without a use. Not certain if there are {@link Usage.escapes}, since those may use any
   * prompt.
   */
  readonly unused: readonly string[]
  /** Uses in client code, as far as known. */
  readonly client: readonly UsageSite[]
  /** The metered reads of a full pull, one per prompt. */
  readonly reads: { readonly unused: number; readonly total: number }
}

/**
 * Finds the uses of each prompt of a lock. Writes nothing.
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
