import type { ComparedRow } from '../../core/change-row.ts'
import {
  findDrift,
  heldPrompts,
  type HeldPrompt,
  type StagedPrompt,
  stagedPrompts,
} from '../../core/drift.ts'
import type { Lock } from '../../core/prompt.ts'
import type { PromptList, PromptSummary } from '../../core/service.ts'
import type { PromptFilter } from '../../config/prompt-filter.ts'
import type { CallOptions } from '../../service/client.ts'
import type { Project } from '../project/project.ts'

/** The differences between a lock and the service's list. */
export interface DriftReport {
  readonly drift: readonly ComparedRow[]
  /** They never count as drift. */
  readonly held: readonly HeldPrompt[]
  /**
   * Prompts with a staging version, in the test environment. Their text can change without a new
   * version label, which a list doesn't show.
   */
  readonly drafts: readonly string[]
  /** The prompts with a staging version, for a live lock. */
  readonly staged: readonly StagedPrompt[]
  /** As the service returned it. */
  readonly planStatus: string
}

/**
 * Compares a lock with the service's list. One call, no metered read.
 *
 * @throws PromptsError KEY_MISSING, and what the service throws
 */
export async function readDrift(
  { options, withService }: Pick<Project, 'options' | 'withService'>,
  lock: Lock,
  call: CallOptions = {},
): Promise<DriftReport> {
  return driftReport(lock, await withService((service) => service.list(), call), options.isSelected)
}

/** Compares a lock with the selected prompts of a list. */
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
    staged: lock.environment === 'live' ? stagedPrompts(entries) : [],
    planStatus,
  }
}

function draftsOf(entries: readonly PromptSummary[], lock: Lock): string[] {
  if (lock.environment === 'live') return []
  const isHeld = new Set(heldPrompts(lock).map(({ slug }) => slug))
  return entries.flatMap(({ slug, stagingVersion }) =>
    stagingVersion === null || isHeld.has(slug) ? [] : [slug],
  )
}
