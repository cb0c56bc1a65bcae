/**
 * The changes that wait: rows of the service's list first, which cost nothing, then the texts of those
 * that were asked for. What was read is kept until the list shows another version.
 */
import { changeRows } from '../../core/change-row.ts'
import { applyChanges, comparePrompts, type PromptChange } from '../../core/compare.ts'
import { listedPrompt } from '../../core/drift.ts'
import type { Lock, PinnedPrompt } from '../../core/prompt.ts'
import type { PromptList, PromptSummary } from '../../core/service.ts'
import { envVariable } from '../../core/workspace-name.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { diffLocks, readDiff } from '../../features/diff/diff.ts'
import { driftReport } from '../../features/diff/drift.ts'
import type { Project } from '../../features/project/project.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import type { PageRow, ReadMode } from '../protocol.ts'

/** The variable with the key of the other environment, such as `PROMPTS_TEST_API_KEY`. */
export function otherKeyVariable({
  name,
  environment,
}: Pick<Project['options'], 'name' | 'environment'>): string {
  return envVariable(name, environment === 'live' ? 'TEST_API_KEY' : 'LIVE_API_KEY')
}

/** A comparison of the lock with one side. */
export interface Comparison {
  readonly before: Lock
  readonly rows: readonly PageRow[]
  /** Where the texts are read; `undefined` if all are there. */
  readonly project: Project | undefined
  /** The entry of the list for each slug, as text: what was read is valid for this entry. */
  readonly stamps: ReadonlyMap<string, string>
}

/** Compares the lock with the service's list. */
export function withService(lock: Lock, list: PromptList, project: Project): Comparison {
  const { drift, drafts } = driftReport(lock, list, project.options.isSelected)
  const changes = drift.map(({ change }) => change)
  const changed = new Set(drift.map(({ slug }) => slug))
  const rewritten = drafts.filter((slug) => !changed.has(slug))
  const entries = indexBySlug(list.prompts)
  const others = rewritten.flatMap((slug) => listedChange(entries.get(slug), lock))
  const rows = listedRows([...changes, ...others])
  return { before: lock, rows, project, stamps: stampsOf(list) }
}

/** Compares the live lock with the drafts of staging, by one list. */
export async function compareWithStaging(lock: Lock, project: Project): Promise<Comparison> {
  const other = project.other()
  if (other.options.apiKey === undefined || lock.environment !== 'live')
    throw new PromptsError('KEY_MISSING', { variable: otherKeyVariable(project.options) })
  const list = await other.withService((service) => service.list())
  const drafts = list.prompts.filter(
    (entry) => entry.stagingVersion !== null && other.options.isSelected(entry),
  )
  const staging = { ...lock, environment: 'test' } as const
  const rows = listedRows(drafts.flatMap((entry) => listedChange(entry, staging)))
  return { before: lock, rows, project: other, stamps: stampsOf(list) }
}

/** Compares the lock of a git revision with the lock: no request. */
export async function withRevision(
  lock: Lock,
  { lock: store }: Project,
  revision: string,
): Promise<Comparison> {
  const before = (await readLockAt(store, revision)) ?? { ...lock, prompts: [] }
  const rows = changeRows(diffLocks(before, lock).changes)
  return { before, rows, project: undefined, stamps: new Map() }
}

function stampsOf({ prompts }: PromptList): Map<string, string> {
  return new Map(prompts.map((entry) => [entry.slug, JSON.stringify(entry)]))
}

/** A prompt as the list has it, whose text may differ even if nothing else does. */
function listedChange(entry: PromptSummary | undefined, lock: Lock): PromptChange[] {
  if (entry === undefined) return []
  const pinned = lock.prompts.filter(({ slug }) => slug === entry.slug)
  const listed = listedPrompt(entry, lock.environment, pinned[0])
  const [change] = comparePrompts(pinned, [listed])
  return [change ?? asUpdated(listed)]
}

/** A prompt that a person asked for is shown although it is the same. */
function asUpdated(prompt: PinnedPrompt): PromptChange {
  return { kind: 'updated', slug: prompt.slug, before: prompt, after: prompt }
}

/** Rows without texts, but for removed prompts, which need no read. */
function listedRows(changes: readonly PromptChange[]): PageRow[] {
  return changeRows(changes, { unread: changes.map(({ slug }) => slug) }).map((row) =>
    row.kind === 'removed' ? row : { ...row, change: null },
  )
}

/** The maximum number of single reads per minute. A user never makes more; a script could. */
export const READS_PER_MINUTE = 30

const MINUTE = 60_000

/** How long a text is kept, in milliseconds: a draft may be rewritten under its label. */
const MAX_AGE = 5 * MINUTE

/** The texts that were read, for one side. */
export interface Readings {
  /** The rows of a comparison with what was read, and the time of the last read. */
  known(comparison: Comparison): { rows: PageRow[]; readAt: number | null }
  /**
   * Reads the texts of these prompts, at one moment, unless they are there.
   *
   * @throws PromptsError PAGE_READS_LIMITED and the errors of the service
   */
  read(comparison: Comparison, slugs: readonly string[], mode: ReadMode): Promise<void>
}

/** Creates the texts of one side, without any. */
export function createReadings(now: () => number): Readings {
  const readings = new Map<string, Reading>()
  let times: number[] = []
  let reading: Promise<unknown> = Promise.resolve()
  const find = ({ stamps }: Comparison, slug: string): Reading | undefined => {
    const found = readings.get(slug)
    return found?.stamp === stamps.get(slug) ? found : undefined
  }
  const countRead = ({ options }: Project): void => {
    times = times.filter((time) => now() - time < MINUTE)
    if (times.length >= READS_PER_MINUTE)
      throw new PromptsError('PAGE_READS_LIMITED', {
        limit: READS_PER_MINUTE,
        workspace: options.name,
      })
    times.push(now())
  }
  const read: Readings['read'] = async (comparison, slugs, mode) => {
    const { project, before } = comparison
    const missing = slugs.filter((slug) => {
      const found = find(comparison, slug)
      return found === undefined || now() - found.at >= MAX_AGE
    })
    if (project === undefined || missing.length === 0) return
    if (mode.startsWith('slug:')) countRead(project)
    const at = now()
    const { changes } = await readDiff(project, { before, slugs: missing })
    const same = before.prompts.filter(({ slug }) => missing.includes(slug)).map(asUpdated)
    for (const [slug, change] of indexBySlug([...same, ...changes]))
      readings.set(slug, { stamp: comparison.stamps.get(slug), change, at })
  }
  return {
    known(comparison) {
      const pinned = indexBySlug(comparison.before.prompts)
      let readAt: number | null = null
      const rows = comparison.rows.map((row) => {
        const found = row.change === null ? find(comparison, row.slug) : undefined
        if (found === undefined || !isOf(found.change, pinned.get(row.slug))) return row
        readAt = Math.max(readAt ?? 0, found.at)
        return changeRows([found.change])[0] ?? row
      })
      return { rows, readAt }
    },
    // One after the other: the next finds what the one before has read.
    read(...request) {
      const next = reading.then(() => read(...request))
      reading = next.catch(() => undefined)
      return next
    },
  }
}

interface Reading {
  readonly stamp: string | undefined
  readonly change: PromptChange
  readonly at: number
}

/** Whether a change is still that of the pinned prompt. */
function isOf(change: PromptChange, pinned: PinnedPrompt | undefined): boolean {
  return JSON.stringify(change.before) === JSON.stringify(pinned)
}

/** The lock with the changes that were read. */
export function afterChanges({ before }: Comparison, rows: readonly PageRow[]): Lock {
  const changes = rows.flatMap(({ change }) => change ?? [])
  return { ...before, prompts: applyChanges(before.prompts, changes) }
}
