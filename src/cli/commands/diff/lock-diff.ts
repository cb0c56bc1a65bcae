import { changeRows, type ComparedRow } from '../../../core/change-row.ts'
import { riskyChanges } from '../../../core/classify-change.ts'
import { applyChanges, type PromptChange } from '../../../core/compare.ts'
import type { Lock, PartId } from '../../../core/prompt.ts'
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
import { readIfPublished } from '../../../features/diff/if-published.ts'
import { findMergeBase } from '../../../fs/git.ts'
import { readLockAt, readRequiredLock } from '../../../fs/lock-store.ts'
import {
  analyse,
  codeLocation,
  type codeOptions,
  findImpact,
  findUsage,
} from '../../project/analyse.ts'
import { startProgress } from '../../project/progress.ts'
import { type ProjectInvocation, serviceLabel } from '../../project/project-command.ts'

/** The options of `prompts diff`, besides those of the code. */
export const diffOptions = {
  base: {
    placeholder: 'revision',
    description: 'Compare with the lock where this branch left a git revision, not the service',
  },
  'if-published': {
    description:
      'Compare the live versions with the staging versions: what publishing would change',
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
  readonly before: Lock
  readonly after: Lock
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
 * The differences of the lock from the service; with `--base` from the lock of a git revision, and with
 * `--if-published` from one whose live versions are the staging versions.
 *
 * @throws PromptsError LOCK_MISSING, REVISION_UNREADABLE, SLUG_UNKNOWN; TSCONFIG_INVALID,
 *   TYPES_NOT_FOUND; what reading the lock and the service throw
 */
export async function readLockDiff(invocation: DiffInvocation): Promise<LockDiff> {
  const { values, terminal } = invocation
  const sides = await readSides(invocation)
  const { before, after, report } = sides
  const { changes, unread } = report
  const isChecked = values['fail-on'] === 'breaking' && riskyChanges(before, changes).length > 0
  const impact =
    values.impact || isChecked ? await findImpact(invocation, { before, after }) : undefined
  const usage =
    sides.usage ?? (terminal.isJson ? await readUsage(invocation, before, changes) : undefined)
  const used = usage?.prompts.map(({ slug }) => slug).filter(isUsedIn(usage))
  return { ...sides, rows: changeRows(changes, { used, ...impact, unread }), impact, usage }
}

async function readSides(invocation: DiffInvocation): Promise<Sides> {
  const { project, positionals, values } = invocation
  const slugs = positionals.length === 0 ? undefined : positionals
  const lock = await readRequiredLock(project.lock)
  if (values.base === undefined) return readServiceSides(invocation, lock, slugs)
  const former = await readLockAt(project.lock, await findMergeBase(project.lock.path, values.base))
  const before = former ?? { ...lock, parts: [] }
  return sidesOf(before, diffLocks(before, lock, slugs))
}

async function readServiceSides(
  invocation: DiffInvocation,
  before: Lock,
  slugs: readonly string[] | undefined,
): Promise<Sides> {
  const { project, terminal, signal, values } = invocation
  const { onProgress, stop } = startProgress(terminal, `Reading ${serviceLabel(project)}`)
  const staging = values['if-published'] && ({ staging: true } as const)
  const call = { onProgress, signal, ...staging }
  // A patch has all texts, and so have prompts that are named. Without its text, no prefix is known.
  const needsTexts = values.format === 'patch' || values['fail-on'] === 'cache'
  const readsAll = !values.impact || needsTexts || slugs !== undefined
  try {
    const lock = readsAll ? undefined : await readAddedNames(project, before, call)
    const usage = lock && (await findUsage(invocation, lock))
    const isUsed = usage && isUsedIn(usage)
    const isRead = isUsed && (({ slug }: PartId): boolean => isUsed(slug))
    const request = { before, slugs, isRead, ...call }
    if (values['if-published']) return { ...(await readIfPublished(project, request)), usage }
    return { ...sidesOf(before, await readDiff(project, request)), usage }
  } finally {
    stop()
  }
}

function sidesOf(before: Lock, report: Sides['report']): Sides {
  return { before, after: applyChanges(before, report.changes), report }
}

/** The uses of the prompts of both locks; `undefined` if the app can't be analysed. */
async function readUsage(
  invocation: DiffInvocation,
  before: Lock,
  changes: readonly PromptChange[],
): Promise<UsageReport | undefined> {
  if (changes.length === 0) return undefined
  const others = changes.filter(({ kind }) => kind !== 'removed')
  const lock = applyChanges(before, others)
  const location = await codeLocation(invocation)
  const usage = await analyse(invocation, 'findUsage', [{ ...location, lock }]).catch(
    asPromptsError,
  )
  return isPromptsError(usage) ? undefined : usage
}

function isUsedIn({ prompts, escapes }: UsageReport): (slug: string) => boolean {
  return usedBy({ escapes, sites: prompts.flatMap(({ sites }) => sites) })
}
