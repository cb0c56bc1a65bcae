/** The value that every command which writes makes, changes and commits. */
import { planModule } from '../codegen/plan-module.ts'
import {
  changeRows,
  type ComparedRow,
  skippedRow,
  sortRows,
  withContext,
} from '../core/change-row.ts'
import { compareLocks, leaveChanges, type PromptChange } from '../core/compare.ts'
import type { Place } from '../core/impact.ts'
import type { NameCollision } from '../core/names.ts'
import { type FormerLock, lockBefore } from '../core/lock/former-lock.ts'
import {
  describePart,
  type Environment,
  indexParts,
  type Lock,
  type PartId,
  partKey,
} from '../core/prompt.ts'
import type { Remarks } from '../core/service.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { type Breaks, reportOf } from '../judge/impact.ts'

/** What would be written. Nothing else is ever written. */
export interface Plan {
  /** Hash of the lock file that a person saw; `undefined` if there was none. */
  readonly base: string | undefined
  readonly before: FormerLock
  readonly after: Lock
  /** How the app is edited with `after`, by path. */
  readonly edits: readonly FileEdit[]
  /** The changes that stay as they are pinned, each with the reason. */
  readonly left: readonly ComparedRow[]
  /** What is said of its parts, by {@link partKey}. Default: nothing. */
  readonly remarks?: ReadonlyMap<string, Remarks>
}

/** A plan of which it is known what it breaks, or why that is not known. Another `after` has to be judged again. */
export interface JudgedPlan extends Plan {
  readonly breaks: Breaks
}

/** A new content for a file of the app. */
export interface FileEdit {
  /** Absolute. */
  readonly path: string
  /** The whole content that the edit was computed from. */
  readonly before: string
  /** The whole new content, of as many lines. */
  readonly after: string
  readonly places: readonly EditPlace[]
}

/** Where an old text is edited. */
interface EditPlace extends Place {
  /** The old and the new slug of the prompt. */
  readonly slugs: readonly string[]
}

/** The parts that a plan changes: live parts, then staging parts, each by code point of the slug. */
export function changesOf({ before, after }: Pick<Plan, 'before' | 'after'>): PromptChange[] {
  return compareLocks(lockBefore(before), after)
}

/** One row for each change of a plan, with what it breaks. */
export function rowsOf(plan: JudgedPlan): ComparedRow[] {
  const { breaks, remarks } = plan
  const { findings, used } = reportOf(breaks)
  return changeRows(changesOf(plan), { findings, used, remarks })
}

/** The names in code that no prompt of a plan gets in a view, since several would. */
export function collisionsOf(
  { after }: Pick<Plan, 'after'>,
  view: Environment,
): readonly NameCollision[] {
  return planModule(after, view).collisions
}

/** A plan without some of its changes, and without edits, which depend on what is taken. */
export function leave(plan: Plan, rows: readonly ComparedRow[]): Plan {
  const { base, before, after, left, remarks } = plan
  const unedited = { base, before, edits: [], ...(remarks && { remarks }) }
  if (rows.length === 0) return { ...unedited, after, left }
  assertLeavable(before, rows)
  const changes = rows.map(({ change }) => change)
  // A first staging version that is left leaves the live part, which has the only text, also if that ends.
  const [given, shown] = [indexParts(rows), indexParts(changes.flatMap((one) => one.before ?? []))]
  const ends = changesOf(plan).filter((one) => {
    const key = partKey(one)
    return one.after === undefined && shown.has(key) && !given.has(key)
  })
  const leaving = [...rows, ...ends.map((end) => skippedRow(end, 'its staging version is left'))]
  const rest = leaveChanges(lockBefore(before), after, [...changes, ...ends])
  const all = sortRows([...left, ...withContext(leaving, { remarks })])
  return { ...unedited, after: rest, left: all }
}

/** What can't be left as it was: what is lost, and in no commit either, and what a merge brings as held. */
function assertLeavable(before: FormerLock, rows: readonly ComparedRow[]): void {
  const leaving = indexParts<PartId>(rows)
  const isLeaving = (part: PartId): boolean => leaving.has(partKey(part))
  const gone = before.kind === 'damaged' ? before.lost.filter(({ former }) => former === null) : []
  const own = indexParts(lockBefore(before).parts)
  const merged = before.kind === 'whole' ? before.parts : []
  const held = merged.filter((part) => part.held && !own.get(partKey(part))?.held)
  const parts = [
    ...gone.filter(isLeaving).map((part) => `${describePart(part)}: no commit has it`),
    ...held.filter(isLeaving).map((part) => `${describePart(part)}: another branch holds it`),
  ]
  if (parts.length > 0) throw new PromptsError('PART_LOST', { parts })
}
