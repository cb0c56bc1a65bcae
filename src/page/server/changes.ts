import {
  CHANGE_CLASSES,
  classifyChanges,
  type ClassifiedChange,
} from '../../core/classify-change.ts'
import type { PromptChange } from '../../core/compare.ts'
import type { Lock } from '../../core/prompt.ts'
import { diffLocks, readDiff } from '../../features/diff/diff.ts'
import { readDrift } from '../../features/diff/drift.ts'
import type { Project } from '../../features/project/project.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { ChangesQuery, ChangesView, SideNames } from '../comparison-protocol.ts'
import { type ComparisonSources, differenceOf } from './comparisons.ts'
import { otherKeyVariable } from './other-project.ts'

/** The changes between two snapshots. */
export interface ChangeSet {
  readonly names: SideNames
  /** The lock that the changes apply to. */
  readonly before: Lock
  readonly changes: readonly PromptChange[]
  /** Single reads, which plans commonly meter. */
  readonly reads: number
}

/**
 * Compares all prompts of the lock: with the service (one read for each prompt that its list shows
 * as changed), with staging (one read for each draft), or with a git revision (no request).
 *
 * @throws PromptsError what reading lock, revision and service throw, and KEY_MISSING for staging
 *   without a second key
 */
export async function readChanges(
  { project, other }: ComparisonSources,
  query: ChangesQuery,
): Promise<ChangeSet> {
  const lock = await project.readLock()
  if (query.kind === 'revision') return changesSince(query.revision, lock, project)
  if (query.kind === 'service') {
    const { drift, drafts } = await readDrift(project, lock, {})
    const slugs = new Set([...drift.map(({ slug }) => slug), ...drafts])
    return readSlugs(project, lock, [...slugs], { before: 'Lock', after: 'Service' })
  }
  if (other === undefined || lock.environment !== 'live')
    throw new PromptsError('KEY_MISSING', { variable: otherKeyVariable(project.options) })
  const { prompts } = await other.withService((service) => service.list())
  const drafts = prompts.filter(
    (entry) => entry.stagingVersion !== null && other.options.isSelected(entry),
  )
  const slugs = drafts.map(({ slug }) => slug)
  return readSlugs(other, lock, slugs, { before: 'Lock', after: 'Staging' })
}

async function changesSince(
  revision: string,
  lock: Lock,
  { lock: store }: Project,
): Promise<ChangeSet> {
  const before = (await readLockAt(store, revision)) ?? { ...lock, prompts: [] }
  const { changes } = diffLocks(before, lock)
  return { names: { before: revision, after: 'Lock' }, before, changes, reads: 0 }
}

async function readSlugs(
  project: Project,
  before: Lock,
  slugs: readonly string[],
  names: SideNames,
): Promise<ChangeSet> {
  if (slugs.length === 0) return { names, before, changes: [], reads: 0 }
  const { changes, reads } = await readDiff(project, { before, slugs })
  return { names, before, changes, reads }
}

/** The maximum number of changes with their texts. Nobody reads more in one page. */
const LISTED = 100

/** A set of changes for the page, the worst first. */
export function changesView(
  { names, changes, reads }: ChangeSet,
  readAt: number,
): ChangesView & { readonly kind: 'compared' } {
  const classified = classifyChanges(changes)
  const ofClass = (name: ClassifiedChange['class']): ClassifiedChange[] =>
    classified.filter((change) => change.class === name)
  const counts = Object.fromEntries(
    CHANGE_CLASSES.map((name) => [name, ofClass(name).length]),
  ) as Record<ClassifiedChange['class'], number>
  const listed = CHANGE_CLASSES.flatMap(ofClass).slice(0, LISTED)
  return {
    kind: 'compared',
    names,
    counts,
    changes: listed.map(({ change }) => ({ slug: change.slug, ...differenceOf(change) })),
    reads,
    readAt,
  }
}
