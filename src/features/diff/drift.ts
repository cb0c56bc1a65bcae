import type { ComparedRow } from '../../core/change-row.ts'
import { heldPrompts, type HeldPrompt, listDifferences, type PartlyRead } from '../../core/drift.ts'
import type { KeptPart } from '../../core/next-lock.ts'
import { indexParts, type Lock, partKey } from '../../core/prompt.ts'
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
  /** Single reads, only of a custom service. */
  readonly reads: number
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

/**
 * Compares a lock with the service's list. Of a custom service, what differs is read: it is no drift if it does
 * not fit. Otherwise there is no metered read.
 */
export async function readDrift(
  project: Project,
  lock: Lock,
  call: CallOptions,
): Promise<DriftReport> {
  const { options, withService } = project
  if (options.service === undefined)
    return driftReport(lock, await readList(project, call), options)
  const { readWorkspace } = await import('../../service/read-workspace.ts')
  return withService(async (service) => {
    const { readable } = service
    // A part that does not fit may show the other one of its prompt as a difference, so both are read.
    let drift = new Set<string>()
    const held = indexParts(lock.parts.filter((part) => part.held !== undefined))
    const { listed, ...workspace } = await readWorkspace(service, {
      checkList(prompts) {
        const report = driftReport(lock, { prompts, readable, planStatus: '' }, options)
        drift = new Set(report.drift.map(({ slug }) => slug))
      },
      isSelected: (part) => drift.has(part.slug) && !held.has(partKey(part)),
      concurrency: options.concurrency,
      ...call,
    })
    return driftReport(lock, { ...workspace, prompts: listed }, options)
  }, call)
}

/** Compares a lock with the selected prompts of a list. */
export function driftReport(
  lock: Lock,
  {
    prompts,
    planStatus,
    reads = 0,
    ...answered
  }: ReadList & Pick<PartlyRead, 'refused' | 'read' | 'remarks'> & { readonly reads?: number },
  { isSelected, staging }: ResolvedOptions,
): DriftReport {
  const answer = { ...answered, entries: prompts.filter(isSelected) }
  const { rows, kept } = listDifferences(lock, answer, { staging })
  return { drift: rows, held: heldPrompts(lock, prompts), kept, planStatus, reads }
}
