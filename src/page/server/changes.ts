/**
 * What waits for a lock, and the texts that were read for it: first what the service's list has, which costs
 * nothing, then the texts of those that were asked for. A text is kept until the list has another version of
 * its part, or a person asks for the list again, since authors rewrite staging under one label.
 */
import { changeRows, changedTexts, type ComparedRow } from '../../core/change-row.ts'
import { changesByPart, compareLocks, type PromptChange } from '../../core/compare.ts'
import {
  indexParts,
  type Lock,
  type PartId,
  partKey,
  type PinnedPrompt,
} from '../../core/prompt.ts'
import type { RefusedPart } from '../../core/service.ts'
import { createQueue } from '../../core/queue.ts'
import { readDiff } from '../../features/diff/diff.ts'
import { driftReport, type ReadList, readList } from '../../features/diff/drift.ts'
import type { Project } from '../../features/project/project.ts'
import { sha256 } from '../../fs/files.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import { type Compared, type Known, type PageRow, rowsOf } from '../shown.ts'
import { errorView } from './respond.ts'
import type { Source } from './code.ts'

/** How long a list of the service is recent, in milliseconds. */
const LIST_AGE = 50_000

/** The changes that wait in the service of a project. */
export class ServiceChanges {
  readonly #source: Source
  /** The service's list, or why there is none; `undefined` until it was asked. */
  #listed: { readonly list: ReadList } | { readonly error: unknown } | undefined
  #askedAt = 0
  #asking: Promise<void> | undefined
  /** Of the parts that were read, by {@link textKey}. */
  readonly #texts = new Map<string, PinnedPrompt>()
  /** The parts that were read and do not fit, by {@link partKey}. */
  readonly #misfits = new Map<string, RefusedPart>()
  readonly #inTurn = createQueue()

  constructor(source: Source) {
    this.#source = source
  }

  /**
   * Asks the service for its list, unless it is recent.
   *
   * @param isRequested - whether a person asks: then always, and staging texts are read again
   */
  async ask(isRequested = false): Promise<void> {
    const isRecent = this.#listed !== undefined && this.#source.now() - this.#askedAt < LIST_AGE
    if (isRecent && !isRequested) return
    this.#asking ??= this.#readList().finally(() => (this.#asking = undefined))
    await this.#asking
    if (!isRequested) return
    for (const [key, { environment }] of this.#texts)
      if (environment === 'test') this.#texts.delete(key)
  }

  async #readList(): Promise<void> {
    this.#listed = await readList(this.#source.project).then(
      (list) => ({ list }),
      (error: unknown) => ({ error }),
    )
    this.#askedAt = this.#source.now()
    this.#source.onChange()
  }

  /** Compares a lock with the last list. Asks nothing. */
  view(lock: Lock): Known<Compared> | undefined {
    const { options } = this.#source.project
    if (this.#listed === undefined) return undefined
    if ('error' in this.#listed) return { kind: 'error', error: errorView(this.#listed.error) }
    const list = { ...this.#listed.list, refused: [...this.#misfits.values()] }
    const { drift, ...report } = driftReport(lock, list, options)
    const rows = this.#withTexts(drift.map(({ change }) => change))
    return { kind: 'known', rows, ...report, checkedAt: this.#askedAt }
  }

  /** The same with a recent list. @throws the error of the service */
  async rows(lock: Lock): Promise<readonly PageRow[]> {
    await this.ask()
    if (this.#listed && 'error' in this.#listed) throw this.#listed.error
    return rowsOf(this.view(lock))
  }

  /**
   * Reads the texts of the rows with these names that have none, at one moment.
   *
   * @throws the errors of the service
   */
  read(lock: Lock, names: ReadonlySet<string>): Promise<void> {
    // One after the other: the next finds what the one before has read.
    return this.#inTurn(async () => {
      const rows = (await this.rows(lock)).filter(({ change, name }) => !change && names.has(name))
      if (rows.length === 0) return
      const [asked, slugs] = [indexParts(rows), [...new Set(rows.map(({ slug }) => slug))]]
      const isRead = (part: PartId): boolean =>
        asked.has(partKey(part)) ||
        asked.get(partKey({ ...part, environment: 'live' }))?.kind === 'added'
      const { changes, kept } = await readDiff(this.#source.project, {
        before: lock,
        slugs,
        isRead,
      })
      for (const { after } of changes.flatMap(changesByPart))
        if (after && isRead(after)) this.#texts.set(textKey(after), after)
      for (const { slug, environment, listed: version, refused } of kept) {
        const part = { slug, environment }
        if (version !== null && refused !== undefined)
          this.#misfits.set(partKey(part), { ...part, version, refused })
      }
    })
  }

  #withTexts(changes: readonly PromptChange[]): PageRow[] {
    const textOf = (part: PinnedPrompt | undefined): PinnedPrompt | undefined =>
      part && this.#texts.get(textKey(part))
    const isRead = ({ environment, after }: PromptChange): boolean =>
      after?.environment === environment && textOf(after) !== undefined
    const unread = new Set(changes.filter((change) => !changesByPart(change).every(isRead)))
    const known = changes.map((change): PromptChange => {
      if (change.kind === 'removed' || unread.has(change)) return change
      const { after, staged } = change
      return { ...change, after: textOf(after) ?? after, staged: textOf(staged) }
    })
    return changeRows(known, { unread: [...unread] }).map((row) =>
      pageRow(row, !row.effects.some(({ kind }) => kind === 'unread')),
    )
  }
}

function pageRow(row: ComparedRow, isRead: boolean): PageRow {
  const { environment, slug, version, change } = row
  const texts = isRead
    ? sha256(JSON.stringify([changedTexts(change), change.staged?.version]))
    : null
  const name = JSON.stringify([environment, slug, version.before, version.after, texts])
  return { ...row, change: isRead ? change : null, name }
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
): Promise<PageRow[]> {
  const before = (await readLockAt(store, revision)) ?? { ...lock, parts: [] }
  return changeRows(compareLocks(before, lock)).map((row) => pageRow(row, true))
}
