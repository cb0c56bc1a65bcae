/**
 * The comparisons of the lock, and the texts that were read for them: first what the service's list has,
 * which costs nothing, then the texts of those that were asked for. A text is kept until the list has another
 * version of its part, or a person asks for the list again, since authors rewrite staging under one label.
 */
import { originOf } from '../../config/base-url.ts'
import { changeRows } from '../../core/change-row.ts'
import { compareLocks, type PromptChange } from '../../core/compare.ts'
import {
  indexParts,
  type Lock,
  type PartId,
  partKey,
  type PinnedPrompt,
  settingsOf,
} from '../../core/prompt.ts'
import { createQueue } from '../../core/queue.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { readDiff } from '../../features/diff/diff.ts'
import { driftReport, type ReadList } from '../../features/diff/drift.ts'
import type { Project } from '../../features/project/project.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import type { ChangesView, PageRow, ServiceView } from '../protocol.ts'

/** A comparison of the lock with the service. */
export interface Comparison {
  readonly before: Lock
  /** As far as the service's list has them. */
  readonly changes: readonly PromptChange[]
  readonly service: ServiceView
}

/** The list of a project's service. */
export interface Listed {
  readonly list: ReadList
  /** In milliseconds since 1970. */
  readonly checkedAt: number
}

/** Compares the lock with the service's list. */
export function withService(
  before: Lock,
  { list, checkedAt }: Listed,
  { options }: Project,
): Comparison {
  const { drift, ...report } = driftReport(before, list, options)
  const address = options.service?.name ?? originOf(options.baseUrl) ?? ''
  const service = { ...report, checkedAt, address }
  return { before, changes: drift.map(({ change }) => change), service }
}

/** Compares the lock of a git revision with the lock: no request, and all texts are there. */
export async function changesSince(
  revision: string,
  lock: Lock,
  { lock: store }: Project,
): Promise<ChangesView> {
  const before = (await readLockAt(store, revision)) ?? { ...lock, parts: [] }
  return { kind: 'compared', rows: changeRows(compareLocks(before, lock)), service: null }
}

/** The maximum number of reads on request per minute. A user never makes more; a script could. */
export const READS_PER_MINUTE = 30

const MINUTE = 60_000

/** The texts that were read. */
export interface Texts {
  /** The rows of a comparison, with these texts. */
  rowsOf(comparison: Comparison): PageRow[]
  /** The changes whose texts are known; none without a comparison. */
  changesOf(comparison: Comparison | undefined): PromptChange[]
  /**
   * Reads the texts of those of the asked parts that have none, at one moment.
   *
   * @throws PromptsError PAGE_READS_LIMITED and the errors of the service
   */
  read(comparison: Comparison, isAsked: (part: PartId) => boolean): Promise<void>
  /** Forgets the texts of staging, which authors rewrite under the same label. */
  forgetStaging(): void
}

/** Creates the texts, without any. */
export function createTexts(project: Project, now: () => number): Texts {
  const texts = new Map<string, PinnedPrompt>()
  const inTurn = createQueue()
  let times: number[] = []
  const countRead = (): void => {
    times = times.filter((time) => now() - time < MINUTE)
    const [limit, workspace] = [READS_PER_MINUTE, project.options.name]
    if (times.length >= limit) throw new PromptsError('PAGE_READS_LIMITED', { limit, workspace })
    times.push(now())
  }
  const textOf = ({ environment, after }: PromptChange): PinnedPrompt | undefined =>
    after?.environment === environment ? texts.get(textKey(after)) : undefined
  const rowsOf = ({ changes }: Comparison): PageRow[] => {
    const unread = changes.filter((change) => !textOf(change))
    const known = changes.map((change): PromptChange => {
      const after = textOf(change)
      return after === undefined || change.kind === 'removed' ? change : { ...change, after }
    })
    return changeRows(known, { unread }).map((row) =>
      row.effects.some(({ kind }) => kind === 'unread') ? { ...row, change: null } : row,
    )
  }
  return {
    rowsOf,
    changesOf: (comparison) =>
      comparison ? rowsOf(comparison).flatMap(({ change }) => change ?? []) : [],
    // One after the other: the next finds what the one before has read.
    read: (comparison, isAsked) =>
      inTurn(async () => {
        const rows = rowsOf(comparison).filter((row) => row.change === null && isAsked(row))
        if (rows.length === 0) return
        countRead()
        const [asked, slugs] = [indexParts(rows), [...new Set(rows.map(({ slug }) => slug))]]
        const isRead = (part: PartId): boolean => asked.has(partKey(part))
        const { changes } = await readDiff(project, { before: comparison.before, slugs, isRead })
        for (const { after } of changes)
          if (after && isRead(after)) texts.set(textKey(after), after)
      }),
    forgetStaging() {
      for (const [key, { environment }] of texts) if (environment === 'test') texts.delete(key)
    },
  }
}

/** A version of a part as the list tells it. */
function textKey(part: PinnedPrompt): string {
  return JSON.stringify([partKey(part), { ...settingsOf(part), temperature: null }])
}
