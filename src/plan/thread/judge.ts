/** What plans break in the app, and the plans without that. Each asks the compiler only what no plan knows yet. */
import type { AppLocation } from '../../judge/app.ts'
import type { ComparedRow } from '../../core/change-row.ts'
import { riskyChanges } from '../../core/classify-change.ts'
import { lockBefore } from '../../core/lock/former-lock.ts'
import { indexParts, partKey } from '../../core/prompt.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { isPromptsError } from '../../errors/prompts-error.ts'
import type { FixRequest } from '../fix/plan-fix.ts'
import { unanalysedRows } from '../leave-breaking.ts'
import { changesOf, type JudgedPlan, leave, type Plan, rowsOf } from '../plan.ts'
import type { Breaks } from '../../judge/impact.ts'
import type { runInThread } from './in-thread.ts'

/** The code of the apps: where it is, and how it is analysed. */
export interface AppCode {
  locate(): Promise<AppLocation>
  readonly run: typeof runInThread
  /** Ends what runs. */
  readonly signal?: AbortSignal
}

const HARMLESS: Breaks = { kind: 'harmless' }

/** Finds out what a plan breaks. No error is old at a part whose former version nobody knows for sure. */
export async function judge(plan: Plan, app: AppCode): Promise<JudgedPlan> {
  const { before, after } = plan
  const isKnown = before.kind !== 'damaged' || (before.isComplete && before.lost.length === 0)
  if (before.kind === 'none' || (isKnown && isHarmless(plan))) return { ...plan, breaks: HARMLESS }
  try {
    const locks = { before: isKnown ? lockBefore(before) : undefined, after }
    const report = await app.run('findImpact', [{ ...(await app.locate()), ...locks }])
    return { ...plan, breaks: { kind: 'checked', report } }
  } catch (error) {
    app.signal?.throwIfAborted()
    if (isPromptsError(error, 'PACKAGE_MISSING')) throw error
    const reason = isPromptsError(error) ? error.why : sanitize(String(error))
    return { ...plan, breaks: { kind: 'unchecked', reason } }
  }
}

/** Whether no contract changes. */
function isHarmless(plan: Plan): boolean {
  return riskyChanges(changesOf(plan)).length === 0
}

/** A plan without rows that nobody chose, and without what breaks only because of that. */
export async function leaveRows(
  plan: Plan,
  rows: readonly ComparedRow[],
  app: AppCode,
): Promise<JudgedPlan> {
  const judged = await judge(leave(plan, rows), app)
  // Without its live update, the end of a staging version may break code.
  const left = indexParts(judged.left)
  const ends = rowsOf(judged).flatMap((row): ComparedRow[] => {
    const [first] = row.places
    const isLeft = row.change.after && left.has(partKey(row.change.after))
    return isLeft && first ? [{ ...row, reason: first.reason }] : []
  })
  return ends.length > 0 ? leaveRows(judged, ends, app) : judged
}

/** A plan without what breaks the app. One type check names that, and one more verifies the others. */
export async function leaveBreaking(
  plan: Plan & Partial<Pick<JudgedPlan, 'breaks'>>,
  app: AppCode,
): Promise<JudgedPlan> {
  const { breaks = isHarmless(plan) ? HARMLESS : undefined } = plan
  if (breaks?.kind === 'harmless') return { ...plan, breaks }
  const changes = changesOf(plan)
  if (breaks?.kind === 'unchecked')
    return { ...leave(plan, unanalysedRows(changes, breaks.reason)), breaks: HARMLESS }
  const args = [lockBefore(plan.before), changes, await app.locate(), breaks?.report] as const
  const { left, ...answer } = await app.run('findBreaking', [...args])
  return { ...leave(plan, left), ...answer }
}

/** A plan with edits of the app for renames that a person confirmed, and without what has no safe edit. */
export async function rename(
  plan: Plan & Partial<Pick<JudgedPlan, 'breaks'>>,
  request: FixRequest,
  app: AppCode,
): Promise<JudgedPlan> {
  const { breaks } = plan
  // What it breaks is known, and nothing is edited.
  if (breaks && request.renames.length === 0) return { ...plan, breaks }
  const changes = changesOf(plan)
  if (changes.length === 0) return { ...plan, breaks: HARMLESS }
  const args = [lockBefore(plan.before), changes, await app.locate(), request] as const
  const { left, edits } = await app.run('planFix', [...args])
  return { ...leave(plan, left), edits, breaks: HARMLESS }
}
