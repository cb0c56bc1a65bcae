import { changeRows, type ComparedRow } from '../../../core/change-row.ts'
import { riskyChanges } from '../../../core/classify-change.ts'
import { applyChanges, type PromptChange } from '../../../core/compare.ts'
import { rowsAsLive } from '../../../core/drift.ts'
import type { Environment, Lock } from '../../../core/prompt.ts'
import { usedBy } from '../../../core/used-by.ts'
import { asPromptsError, isPromptsError } from '../../../errors/prompts-error.ts'
import {
  diffLocks,
  readAddedNames,
  readDiff,
  type DiffReport,
  type ServiceDiffReport,
} from '../../../features/diff/diff.ts'
import type { ImpactReport } from '../../../features/usage/impact.ts'
import { findUsage, type UsageReport } from '../../../features/usage/usage.ts'
import { findMergeBase } from '../../../fs/git.ts'
import {
  type LockStore,
  createLockStore,
  readLockAt,
  readRequiredLock,
} from '../../../fs/lock-store.ts'
import { codeLocation, impactOfChanges } from '../../output/impact-view.ts'
import { startProgress } from '../../output/progress.ts'
import { projectsOfLocks, serviceLabel } from '../../project-command.ts'
import type { DiffInvocation } from './options.ts'

/** Two locks, how they differ, and what that means for the app. */
export interface Comparison {
  /** The lock that is compared. */
  readonly lock: LockStore
  readonly before: Lock
  readonly report: DiffReport & Partial<ServiceDiffReport>
  readonly rows: readonly ComparedRow[]
  /** The environments of the lock and of the service. */
  readonly environment: { readonly before: Environment; readonly after: Environment }
  /** What breaks in the app, with `--impact` or `--fail-on breaking`. */
  readonly impact: ImpactReport | undefined
  /** The uses of the prompts of both locks, if that was analysed: with `--impact` or `--json`. */
  readonly usage: UsageReport | undefined
}

/**
 * The comparison of the lock, and with `--base` that of the test lock if there are two. What only follows
 * the live lock is left out of the second.
 */
export async function readComparisons(
  invocation: DiffInvocation,
): Promise<readonly [Comparison, Comparison?]> {
  if (invocation.values.base === undefined) return [await readComparison(invocation)]
  const [project, second] = await projectsOfLocks(invocation)
  const first = await readComparison({ ...invocation, project })
  if (second === undefined) return [first]
  const staging = await readComparison({ ...invocation, project: second })
  const following = rowsAsLive(staging.rows, await project.readLock())
  return [first, { ...staging, rows: staging.rows.filter((row) => !following.has(row)) }]
}

/**
 * Compares the lock with the service or, with `--base`, with the lock of a git revision.
 *
 * @throws PromptsError LOCK_MISSING, REVISION_UNREADABLE, SLUG_UNKNOWN; TSCONFIG_INVALID,
 *   TYPES_NOT_FOUND; what reading the lock and the service throw
 */
async function readComparison(invocation: DiffInvocation): Promise<Comparison> {
  const { values, terminal } = invocation
  const locks = await readLocks(invocation)
  const { before, report } = locks
  const isChecked =
    values['fail-on'] === 'breaking' && riskyChanges(before, report.changes).length > 0
  const impact =
    values.impact || isChecked
      ? await impactOfChanges(invocation, { before, changes: report.changes })
      : undefined
  const usage =
    locks.usage ??
    (terminal.isJson ? await readUsage(invocation, before, report.changes) : undefined)
  const used = usage?.prompts.map(({ slug }) => slug).filter(isUsedIn(usage))
  const { changes, unread } = report
  const rows = changeRows(changes, { used, ...impact, unread })
  return { ...locks, rows, impact, usage }
}

/** The uses of the prompts of both locks; `undefined` if the app can't be analysed. */
async function readUsage(
  invocation: DiffInvocation,
  before: Lock,
  changes: readonly PromptChange[],
): Promise<UsageReport | undefined> {
  if (changes.length === 0) return undefined
  const kept = changes.filter(({ kind }) => kind !== 'removed')
  const lock = { ...before, prompts: applyChanges(before.prompts, kept) }
  const location = await codeLocation(invocation)
  const usage = await findUsage({ ...location, lock }).catch(asPromptsError)
  return isPromptsError(usage) ? undefined : usage
}

async function readLocks(invocation: DiffInvocation): Promise<Omit<Comparison, 'rows' | 'impact'>> {
  const { project, positionals, values } = invocation
  const slugs = positionals.length === 0 ? undefined : positionals
  const lock = lockToCompare(invocation)
  const pinned = await readRequiredLock(lock)
  if (values.base === undefined) {
    const compared = await readServiceDiff(pinned, slugs, invocation)
    const environment = { before: pinned.environment, after: project.options.environment }
    return { lock, before: pinned, environment, ...compared }
  }
  const before = (await readLockAt(lock, await findMergeBase(lock.path, values.base))) ?? {
    ...pinned,
    prompts: [],
  }
  const environment = { before: before.environment, after: pinned.environment }
  const report = diffLocks(before, pinned, slugs)
  return { lock, before, report, environment, usage: undefined }
}

/** The project's lock; the live one if the live lock is compared with staging. */
function lockToCompare({ project, values }: DiffInvocation): LockStore {
  const { root, name, liveLock } = project.options
  const comparesStaging = values.environment === 'test' && values.base === undefined
  return comparesStaging ? createLockStore(liveLock, root, name) : project.lock
}

async function readServiceDiff(
  before: Lock,
  slugs: readonly string[] | undefined,
  invocation: DiffInvocation,
): Promise<{ readonly report: ServiceDiffReport; readonly usage: UsageReport | undefined }> {
  const { project, terminal, signal, values } = invocation
  const { onProgress, stop } = startProgress(terminal, `Reading ${serviceLabel(project)}`)
  const call = { onProgress, signal }
  // A patch has all texts, and so have prompts that are named. Without its text, no prefix is known.
  const needsTexts = values.format === 'patch' || values['fail-on'] === 'cache'
  const readsAll = !values.impact || needsTexts || slugs !== undefined
  try {
    const lock = readsAll ? undefined : await readAddedNames(project, before, call)
    const usage = lock && (await findUsage({ ...(await codeLocation(invocation)), lock }))
    const isUsed = usage && isUsedIn(usage)
    return { report: await readDiff(project, { before, slugs, isUsed, ...call }), usage }
  } finally {
    stop()
  }
}

function isUsedIn({ prompts, escapes }: UsageReport): (slug: string) => boolean {
  return usedBy({ escapes, sites: prompts.flatMap(({ sites }) => sites) })
}
