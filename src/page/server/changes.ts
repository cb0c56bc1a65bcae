/**
 * What waits for a lock, and the texts that were read for it: first what the service's list has, which costs
 * nothing, then the texts of those that were asked for. A text is kept until the list has another version of
 * its part, or a person asks for the list again, since authors rewrite staging under one label.
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
} from '../../core/prompt.ts'
import { createQueue } from '../../core/queue.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { readDiff } from '../../features/diff/diff.ts'
import { driftReport, type ReadList, readList } from '../../features/diff/drift.ts'
import type { Project } from '../../features/project/project.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import { type ChangesView, type PageRow, rowsOf } from '../protocol.ts'
import { Cache } from './cache.ts'

/** The list of a project's service. */
interface Listed {
  readonly list: ReadList
  /** In milliseconds since 1970. */
  readonly checkedAt: number
}

/** How long a list of the service is recent, in milliseconds. */
const LIST_AGE = 50_000

/** The maximum number of reads on request per minute. A user never makes more; a script could. */
export const READS_PER_MINUTE = 30

const MINUTE = 60_000

/** The changes that wait in the service of a project. */
export class ServiceChanges {
  readonly #project: Project
  readonly #now: () => number
  readonly #list
  /** Of the parts that were read, by {@link textKey}. */
  readonly #texts = new Map<string, PinnedPrompt>()
  readonly #inTurn = createQueue()
  /** The times of the last reads. */
  #reads: readonly number[] = []

  constructor(project: Project, now: () => number) {
    this.#project = project
    this.#now = now
    this.#list = new Cache<Listed>(now)
  }

  /**
   * Compares a lock with the service's list. A project that never pulls asks for that on request only.
   *
   * @param isRequested - whether a person asks for the list, however recent the last one is
   */
  async compare(lock: Lock, isRequested = false): Promise<ChangesView> {
    const { options } = this.#project
    const isAsked = isRequested || options.pull !== 'never'
    const listed = await (isAsked ? this.#read(isRequested ? 0 : LIST_AGE) : this.#list.last())
    if (listed === undefined) return { kind: 'unasked' }
    const { list, checkedAt } = listed
    if (isRequested) this.#forgetStaging()
    const { drift, ...report } = driftReport(lock, list, options)
    const rows = this.#withTexts(drift.map(({ change }) => change))
    const address = options.service?.name ?? originOf(options.baseUrl) ?? ''
    return { kind: 'compared', rows, service: { ...report, checkedAt, address } }
  }

  /**
   * Compares like {@link compare} once the texts of the asked parts that have none are read, at one moment.
   *
   * @throws PromptsError PAGE_READS_LIMITED and the errors of the service
   */
  read(lock: Lock, isAsked: (part: PartId) => boolean): Promise<ChangesView> {
    // One after the other: the next finds what the one before has read.
    return this.#inTurn(async () => {
      const rows = rowsOf(await this.compare(lock)).filter((row) => !row.change && isAsked(row))
      if (rows.length === 0) return this.compare(lock)
      this.#countRead()
      const [asked, slugs] = [indexParts(rows), [...new Set(rows.map(({ slug }) => slug))]]
      const isRead = (part: PartId): boolean => asked.has(partKey(part))
      const { changes } = await readDiff(this.#project, { before: lock, slugs, isRead })
      for (const { after } of changes)
        if (after && isRead(after)) this.#texts.set(textKey(after), after)
      return this.compare(lock)
    })
  }

  #read(maxAge: number): Promise<Listed> {
    return this.#list.get({ maxAge }, async () => {
      return { list: await readList(this.#project), checkedAt: this.#now() }
    })
  }

  #forgetStaging(): void {
    for (const [key, { environment }] of this.#texts)
      if (environment === 'test') this.#texts.delete(key)
  }

  #withTexts(changes: readonly PromptChange[]): PageRow[] {
    const textOf = ({ environment, after }: PromptChange): PinnedPrompt | undefined =>
      after?.environment === environment ? this.#texts.get(textKey(after)) : undefined
    const unread = changes.filter((change) => !textOf(change))
    const known = changes.map((change): PromptChange => {
      const after = textOf(change)
      return after === undefined || change.kind === 'removed' ? change : { ...change, after }
    })
    return changeRows(known, { unread }).map((row) =>
      row.effects.some(({ kind }) => kind === 'unread') ? { ...row, change: null } : row,
    )
  }

  #countRead(): void {
    const now = this.#now()
    const [limit, workspace] = [READS_PER_MINUTE, this.#project.options.name]
    this.#reads = this.#reads.filter((time) => now - time < MINUTE)
    if (this.#reads.length >= limit)
      throw new PromptsError('PAGE_READS_LIMITED', { limit, workspace })
    this.#reads = [...this.#reads, now]
  }
}

/** A version of a part as the list tells it. */
function textKey(part: PinnedPrompt): string {
  return JSON.stringify([partKey(part), part.version, part.folder, part.model])
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
