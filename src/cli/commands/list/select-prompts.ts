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
 * Keeps the prompts that match one of the globs, over slug and `folder/slug`, in the lock or in the
 * service's list; everything without globs.
 *
 * @param where - the lock, as errors name it
 * @throws PromptsError SLUG_UNKNOWN if nothing matches
 */
export function selectPrompts(
  { lock, drift, usage }: ListedPrompts,
  globs: readonly string[],
  where: string,
): ListedPrompts {
  if (globs.length === 0) return { lock, drift, usage }
  const entries = drift?.drift.flatMap(({ change }) => change.after ?? []) ?? []
  const found = [...lock.prompts, ...entries].filter(createPromptFilter(globs))
  if (found.length === 0) {
    const known = lock.prompts.map(({ slug }) => slug)
    throw new PromptsError('SLUG_UNKNOWN', { slugs: globs, where, known })
  }
  const slugs = new Set(found.map(({ slug }) => slug))
  const only = <Item extends { readonly slug: string }>(items: readonly Item[]): Item[] =>
    items.filter(({ slug }) => slugs.has(slug))
  const prompts = only(usage?.prompts ?? [])
  const unused = prompts.filter(({ sites }) => sites.length === 0).map(({ slug }) => slug)
  const reads = { unused: unused.length, total: prompts.length }
  return {
    lock: { ...lock, prompts: only(lock.prompts) },
    drift: drift && { ...drift, drift: only(drift.drift), held: only(drift.held) },
    usage: usage && { ...usage, prompts, unused, client: only(usage.client), reads },
  }
}
