/**
 * The comparisons of the lock, and the texts that were read for them: first what the service's list has,
 * which costs nothing, then the texts of those that were asked for. A text is kept until the list or the
 * lock has another version of its prompt, or a person asks for the list of staging again.
 */
import { changeRows } from '../../core/change-row.ts'
import { applyChanges, comparePrompts, type PromptChange } from '../../core/compare.ts'
import { listedPrompt } from '../../core/drift.ts'
import type { Lock, PinnedPrompt } from '../../core/prompt.ts'
import { createQueue } from '../../core/queue.ts'
import type { PromptList, PromptSummary } from '../../core/service.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { envVariable } from '../../core/workspace-name.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { readDiff } from '../../features/diff/diff.ts'
import { driftReport } from '../../features/diff/drift.ts'
import type { Project } from '../../features/project/project.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import type { PageRow, ReadMode } from '../protocol.ts'

/** A comparison of the lock with one side. */
export interface Comparison {
  readonly before: Lock
  /** As far as the service's list has them, or complete. */
  readonly changes: readonly PromptChange[]
  /** The service with the texts of incomplete changes. */
  readonly service?: Listed
  /** What the text of an incomplete change belongs to, by slug: the entries of list and lock. */
  readonly keys: ReadonlyMap<string, string>
}

/** The list of a project's service. */
export interface Listed {
  readonly project: Project
  readonly list: PromptList
  /** In milliseconds since 1970. */
  readonly checkedAt: number
}

/** Compares the lock with the service's list. */
export function withService(lock: Lock, service: Listed): Comparison {
  const { project, list } = service
  const { drift, drafts } = driftReport(lock, list, project.options.isSelected)
  const changes = drift.map(({ change }) => change)
  const rewritten = new Set(drafts)
  for (const { slug } of changes) rewritten.delete(slug)
  const entries = list.prompts.filter(({ slug }) => rewritten.has(slug))
  return withList(lock, service, [...changes, ...listedChanges(entries, lock)])
}

/**
 * The project of staging, whose list has the drafts.
 *
 * @throws PromptsError KEY_MISSING
 */
export function stagingOf(project: Project, lock: Lock): Project {
  const { name, environment } = project.options
  const staging = project.other()
  if (staging.options.apiKey !== undefined && lock.environment === 'live') return staging
  const key = environment === 'live' ? 'TEST_API_KEY' : 'LIVE_API_KEY'
  throw new PromptsError('KEY_MISSING', { variable: envVariable(name, key) })
}

/** Compares the live lock with the drafts of staging. */
export function withStaging(lock: Lock, service: Listed): Comparison {
  const { isSelected } = service.project.options
  const drafts = service.list.prompts.filter(
    (entry) => entry.stagingVersion !== null && isSelected(entry),
  )
  return withList(lock, service, listedChanges(drafts, { ...lock, environment: 'test' }))
}

function withList(before: Lock, service: Listed, changes: readonly PromptChange[]): Comparison {
  const { environment } = service.project.options
  const entries = indexBySlug(service.list.prompts)
  const incomplete = changes.filter(({ kind }) => kind !== 'removed')
  const keys = incomplete.map((change): [string, string] => {
    const key = [environment, entries.get(change.slug), change.before]
    return [change.slug, JSON.stringify(key)]
  })
  return { before, changes, service, keys: new Map(keys) }
}

/** Compares the lock of a git revision with the lock: no request. */
export async function withRevision(
  lock: Lock,
  revision: string,
  { lock: store }: Project,
): Promise<Comparison> {
  const before = (await readLockAt(store, revision)) ?? { ...lock, prompts: [] }
  const changes = comparePrompts(before.prompts, lock.prompts)
  return { before, changes, keys: new Map() }
}

/** Prompts as the list has them, whose texts may differ even if nothing else does. */
function listedChanges(entries: readonly PromptSummary[], lock: Lock): PromptChange[] {
  const pinned = indexBySlug(lock.prompts)
  return entries.map((entry) => {
    const before = pinned.get(entry.slug)
    const after = listedPrompt(entry, lock.environment, before)
    return comparePrompts(before ? [before] : [], [after])[0] ?? asUpdated(after)
  })
}

/** A prompt that a person asked for is shown although it is the same. */
function asUpdated(prompt: PinnedPrompt): PromptChange {
  return { kind: 'updated', slug: prompt.slug, before: prompt, after: prompt }
}

/** The maximum number of single reads per minute. A user never makes more; a script could. */
export const READS_PER_MINUTE = 30

const MINUTE = 60_000

/** The texts that were read. */
export interface Texts {
  /** The rows of a comparison, with these texts. */
  rowsOf(comparison: Comparison): PageRow[]
  /**
   * Reads the texts of those of these prompts that have none, at one moment.
   *
   * @throws PromptsError PAGE_READS_LIMITED and the errors of the service
   */
  read(comparison: Comparison, slugs: readonly string[], mode: ReadMode): Promise<void>
  /** Forgets the texts of staging, which authors rewrite under the same label. */
  forgetDrafts(): void
}

/** Creates the texts, without any. */
export function createTexts(now: () => number): Texts {
  const texts = new Map<string, PromptChange>()
  const inTurn = createQueue()
  let times: number[] = []
  const countRead = ({ options }: Project): void => {
    times = times.filter((time) => now() - time < MINUTE)
    if (times.length >= READS_PER_MINUTE)
      throw new PromptsError('PAGE_READS_LIMITED', {
        limit: READS_PER_MINUTE,
        workspace: options.name,
      })
    times.push(now())
  }
  const textOf = ({ keys }: Comparison, slug: string): PromptChange | undefined =>
    texts.get(keys.get(slug) ?? '')
  return {
    rowsOf(comparison) {
      const unread = [...comparison.keys.keys()].filter((slug) => !textOf(comparison, slug))
      const changes = comparison.changes.map((change) => textOf(comparison, change.slug) ?? change)
      const isUnread = new Set(unread)
      return changeRows(changes, { unread }).map((row) =>
        isUnread.has(row.slug) ? { ...row, change: null } : row,
      )
    },
    // One after the other: the next finds what the one before has read.
    read: (comparison, slugs, mode) =>
      inTurn(async () => {
        const { before, service, keys } = comparison
        const missing = slugs.filter((slug) => keys.has(slug) && !textOf(comparison, slug))
        if (service === undefined || missing.length === 0) return
        if (mode.startsWith('slug:')) countRead(service.project)
        const { changes } = await readDiff(service.project, { before, slugs: missing })
        const same = before.prompts.filter(({ slug }) => missing.includes(slug)).map(asUpdated)
        for (const [slug, change] of indexBySlug([...same, ...changes]))
          texts.set(keys.get(slug) ?? '', change)
      }),
    forgetDrafts() {
      for (const key of texts.keys()) if (key.startsWith('["test",')) texts.delete(key)
    },
  }
}

/** The lock with the changes that were read. */
export function afterChanges({ before }: Comparison, rows: readonly PageRow[]): Lock {
  const changes = rows.flatMap(({ change }) => change ?? [])
  return { ...before, prompts: applyChanges(before.prompts, changes) }
}
