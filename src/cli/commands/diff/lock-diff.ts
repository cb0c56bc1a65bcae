import { changeRows, type ComparedRow } from '../../../core/change-row.ts'
import { riskyChanges } from '../../../core/classify-change.ts'
import { applyChanges, type PromptChange } from '../../../core/compare.ts'
import { rowsAsLive } from '../../../core/drift.ts'
import type { Environment, Lock } from '../../../core/prompt.ts'
import { usedBy } from '../../../core/used-by.ts'
import { asPromptsError, isPromptsError } from '../../../errors/prompts-error.ts'
import {
  diffLocks,
  type DiffReport,
  readAddedNames,
  readDiff,
  type ServiceDiffReport,
} from '../../../features/diff/diff.ts'
import type { ImpactReport } from '../../../analysis/app/analyse-impact.ts'
import type { UsageReport } from '../../../analysis/app/analyse-usage.ts'
import { findUsage } from '../../../features/usage/usage.ts'
import { findMergeBase } from '../../../fs/git.ts'
import {
  createLockStore,
  type LockStore,
  readLockAt,
  readRequiredLock,
} from '../../../fs/lock-store.ts'
import { codeLocation, type codeOptions, impactOfChanges } from '../../output/impact-view.ts'
import { startProgress } from '../../output/progress.ts'
import { type ProjectInvocation, projectsOfLocks, serviceLabel } from '../../project-command.ts'

/** The options of `prompts diff`, besides those of the code. */
export const diffOptions = {
  base: {
    placeholder: 'revision',
    description: 'Compare with the lock where this branch left a git revision, not the service',
  },
  impact: { description: 'Type-check the app: show the code that would break' },
  'fail-on': {
    choices: ['any', 'breaking', 'cache'],
    description:
      'Exit with 3 if anything differs, if a line of the app breaks or is unproven, or if a cacheable prefix is lost',
  },
  format: {
    choices: ['text', 'patch', 'markdown'],
    description: 'patch is for git and patch, markdown for a pull request (default: text)',
  },
  output: {
    placeholder: 'file',
    description: 'Write the patches or the Markdown to a file, byte for byte',
  },
} as const

/** A call of `prompts diff`. */
export type DiffInvocation = ProjectInvocation<typeof diffOptions & typeof codeOptions>

/** Two locks and how they differ. */
interface Sides {
  /** The lock that is compared. */
  readonly lock: LockStore
  readonly before: Lock
  /** The environments of the lock and of the service. */
  readonly environment: { readonly before: Environment; readonly after: Environment }
  readonly report: DiffReport & Partial<ServiceDiffReport>
  /** The uses of the prompts of both sides, if they were analysed: with `--impact` or `--json`. */
  readonly usage?: UsageReport | undefined
}

/** How a lock differs from the service or from a git revision, and what that means for the app. */
export interface LockDiff extends Sides {
  readonly rows: readonly ComparedRow[]
  /** What breaks in the app, with `--impact` or `--fail-on breaking`. */
  readonly impact: ImpactReport | undefined
}

/**
 * The differences of the lock, and with `--base` those of the test lock if there are two. What only follows
 * the live lock is left out of the second.
 */
export async function readLockDiffs(
  invocation: DiffInvocation,
): Promise<readonly [LockDiff, LockDiff?]> {
  if (invocation.values.base === undefined) return [await readLockDiff(invocation)]
  const [project, second] = await projectsOfLocks(invocation)
  const live = await readLockDiff({ ...invocation, project })
  if (second === undefined) return [live]
  const staging = await readLockDiff({ ...invocation, project: second })
  const following = rowsAsLive(staging.rows, await project.readLock())
  return [live, { ...staging, rows: staging.rows.filter((row) => !following.has(row)) }]
}

/**
 * The differences of one lock from the service or, with `--base`, from the lock of a git revision.
 *
 * @throws PromptsError LOCK_MISSING, REVISION_UNREADABLE, SLUG_UNKNOWN; TSCONFIG_INVALID,
 *   TYPES_NOT_FOUND; what reading the lock and the service throw
 */
async function readLockDiff(invocation: DiffInvocation): Promise<LockDiff> {
  const { values, terminal } = invocation
  const sides = await readSides(invocation)
  const { changes, unread } = sides.report
  const isChecked =
    values['fail-on'] === 'breaking' && riskyChanges(sides.before, changes).length > 0
  const impact =
    values.impact || isChecked
      ? await impactOfChanges(invocation, { before: sides.before, changes })
      : undefined
  const usage =
    sides.usage ??
    (terminal.isJson ? await readUsage(invocation, sides.before, changes) : undefined)
  const used = usage?.prompts.map(({ slug }) => slug).filter(isUsedIn(usage))
  return { ...sides, rows: changeRows(changes, { used, ...impact, unread }), impact, usage }
}

async function readSides(invocation: DiffInvocation): Promise<Sides> {
  const { project, positionals, values } = invocation
  const slugs = positionals.length === 0 ? undefined : positionals
  if (values.base !== undefined) {
    const { lock } = project
    const after = await readRequiredLock(lock)
    const former = await readLockAt(lock, await findMergeBase(lock.path, values.base))
    const before = former ?? { ...after, prompts: [] }
    const environment = { before: before.environment, after: after.environment }
    return { lock, before, environment, report: diffLocks(before, after, slugs) }
  }
  const { root, name, liveLock, environment: served } = project.options
  // With --environment test, staging is compared with the live lock.
  const lock = values.environment === 'test' ? createLockStore(liveLock, root, name) : project.lock
  const before = await readRequiredLock(lock)
  const environment = { before: before.environment, after: served }
  return { lock, before, environment, ...(await readServiceDiff(invocation, before, slugs)) }
}

async function readServiceDiff(
  invocation: DiffInvocation,
  before: Lock,
  slugs: readonly string[] | undefined,
): Promise<Pick<Sides, 'report' | 'usage'>> {
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

/** The uses of the prompts of both locks; `undefined` if the app can't be analysed. */
async function readUsage(
  invocation: DiffInvocation,
  before: Lock,
  changes: readonly PromptChange[],
): Promise<UsageReport | undefined> {
  if (changes.length === 0) return undefined
  const others = changes.filter(({ kind }) => kind !== 'removed')
  const lock = { ...before, prompts: applyChanges(before.prompts, others) }
  const location = await codeLocation(invocation)
  const usage = await findUsage({ ...location, lock }).catch(asPromptsError)
  return isPromptsError(usage) ? undefined : usage
}

function isUsedIn({ prompts, escapes }: UsageReport): (slug: string) => boolean {
  return usedBy({ escapes, sites: prompts.flatMap(({ sites }) => sites) })
}
