import { type Drift, findDrift, heldPrompts, type HeldPrompt } from '../../core/drift.ts'
import type { Lock } from '../../core/prompt.ts'
import type { PromptList, PromptSummary } from '../../core/service.ts'
import type { PromptFilter } from '../../config/prompt-filter.ts'
import type { Project, ServiceCallOptions } from '../project/project.ts'

/** How a lock stands to the service, told by one list call. */
export interface DriftReport {
  readonly drift: readonly Drift[]
  /** They are no drift, whatever the service serves. */
  readonly held: readonly HeldPrompt[]
  /**
   * Prompts with a staging version, in the test environment: those may have been rewritten under
   * their label, which a list can't tell.
   */
  readonly drafts: readonly string[]
  /** In the service's own words. */
  readonly planStatus: string
}

/**
 * Compares a lock with the service's list: one call, and no metered read.
 *
 * @throws PromptsError KEY_MISSING and whatever the service throws
 */
export async function readDrift(
  { options, withService }: Pick<Project, 'options' | 'withService'>,
  lock: Lock,
  watch: ServiceCallOptions,
): Promise<DriftReport> {
  return driftReport(
    lock,
    await withService((service) => service.list(), watch),
    options.isSelected,
  )
}

/** Compares a lock with a list that was read before, of which the app pins what is selected. */
export function driftReport(
  lock: Lock,
  { prompts, planStatus }: PromptList,
  isSelected: PromptFilter,
): DriftReport {
  const entries = prompts.filter(isSelected)
  return {
    drift: findDrift(lock, entries),
    held: heldPrompts(lock, { entries: prompts, environment: lock.environment }),
    drafts: draftsOf(entries, lock),
    planStatus,
  }
}

function draftsOf(entries: readonly PromptSummary[], lock: Lock): string[] {
  if (lock.environment === 'live') return []
  const held = new Set(heldPrompts(lock).map(({ slug }) => slug))
  return entries.flatMap(({ slug, stagingVersion }) =>
    stagingVersion === null || held.has(slug) ? [] : [slug],
  )
}
