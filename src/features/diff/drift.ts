import type { ComparedRow } from '../../core/change-row.ts'
import { heldPrompts, type HeldPrompt, listDifferences } from '../../core/drift.ts'
import type { KeptPart } from '../../core/next-lock.ts'
import type { Lock } from '../../core/prompt.ts'
import type { PromptList, Readable } from '../../core/service.ts'
import type { ResolvedOptions } from '../../config/resolve-options.ts'
import type { CallOptions } from '../../service/sender.ts'
import type { Project } from '../project/project.ts'

/** The differences between a lock and the service's list, which has labels and no texts. */
export interface DriftReport {
  readonly drift: readonly ComparedRow[]
  /** They never count as drift. */
  readonly held: readonly HeldPrompt[]
  /** The parts that no key at hand reads, and other updates that can't be taken. They are no drift. */
  readonly kept: readonly KeptPart[]
  /** As the service returned it. */
  readonly planStatus: string
}

/** The service's list, and what can be read of it. */
export interface ReadList extends PromptList {
  readonly readable: Readable
}

export function readList({ withService }: Project, call: CallOptions = {}): Promise<ReadList> {
  return withService(
    async (service) => ({ ...(await service.list()), readable: service.readable }),
    call,
  )
}

/** Compares a lock with the service's list. No metered read. */
export async function readDrift(
  project: Project,
  lock: Lock,
  call: CallOptions = {},
): Promise<DriftReport> {
  return driftReport(lock, await readList(project, call), project.options)
}

/** Compares a lock with the selected prompts of a list. */
export function driftReport(
  lock: Lock,
  { prompts, planStatus, readable }: ReadList,
  { isSelected, staging }: ResolvedOptions,
): DriftReport {
  const answer = { entries: prompts.filter(isSelected), readable }
  const { rows, kept } = listDifferences(lock, answer, { staging })
  return { drift: rows, held: heldPrompts(lock, prompts), kept, planStatus }
}
