import { createPromptFilter } from '../../../config/prompt-filter.ts'
import type { Lock } from '../../../core/prompt.ts'
import { PromptsError } from '../../../errors/prompts-error.ts'
import type { DriftReport } from '../../../features/diff/drift.ts'
import type { UsageReport } from '../../../features/usage/usage.ts'

/** The requested data of `list`. */
export interface ListedPrompts {
  readonly lock: Lock
  readonly drift: DriftReport | undefined
  readonly usage: UsageReport | undefined
}

/**
 * Keeps what matches one of the globs, over slug and `folder/slug`; everything without globs.
 *
 * @param where - the lock, as errors name it
 * @throws PromptsError SLUG_UNKNOWN if nothing matches
 */
export function selectPrompts(
  listed: ListedPrompts,
  globs: readonly string[],
  where: string,
): ListedPrompts {
  if (globs.length === 0) return listed
  const { lock, drift, usage } = listed
  const matches = createPromptFilter(globs)
  const prompts = lock.prompts.filter(matches)
  const entries = drift?.drift.filter((each) =>
    matches(each.kind === 'removed' ? each.pinned : each.entry),
  )
  if (prompts.length + (entries?.length ?? 0) === 0) {
    const known = lock.prompts.map(({ slug }) => slug)
    throw new PromptsError('SLUG_UNKNOWN', { slugs: globs, where, known })
  }
  const slugs = new Set(prompts.map(({ slug }) => slug))
  const isKept = ({ slug }: { readonly slug: string }): boolean => slugs.has(slug)
  return {
    lock: { ...lock, prompts },
    drift: drift && { ...drift, drift: entries ?? [], held: drift.held.filter(isKept) },
    usage: usage && selectUsage(usage, isKept),
  }
}

function selectUsage(
  { prompts, unused, escapes, client }: UsageReport,
  isKept: (entry: { readonly slug: string }) => boolean,
): UsageReport {
  const [kept, keptUnused] = [prompts.filter(isKept), unused.filter((slug) => isKept({ slug }))]
  return {
    prompts: kept,
    unused: keptUnused,
    escapes,
    client: client.filter(isKept),
    reads: { unused: keptUnused.length, total: kept.length },
  }
}
