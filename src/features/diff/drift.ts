import { type Drift, findDrift } from '../../core/drift.ts'
import type { Lock } from '../../core/prompt.ts'
import type { PromptList, PromptSummary } from '../../core/service.ts'
import type { PromptFilter } from '../../config/prompt-filter.ts'
import type { Project, ServiceCallOptions } from '../project/project.ts'

/** How a lock stands to the service, told by one list call. */
export interface DriftReport {
  readonly drift: readonly Drift[]
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
  return { drift: findDrift(lock, entries), drafts: draftsOf(entries, lock), planStatus }
}

function draftsOf(entries: readonly PromptSummary[], { environment }: Lock): string[] {
  if (environment === 'live') return []
  return entries.filter(({ stagingVersion }) => stagingVersion !== null).map(({ slug }) => slug)
}
