/** What a pull leaves so that the app compiles, in the thread of an analysis: `--skip-breaking`. */
import type { AppLocation } from '../judge/app.ts'
import type { ImpactReport } from '../judge/analyse-impact.ts'
import { type ComparedRow, skippedRow } from '../core/change-row.ts'
import { riskyChanges } from '../core/classify-change.ts'
import { applyChanges, type PromptChange } from '../core/compare.ts'
import { indexParts, type Lock, partKey } from '../core/prompt.ts'
import { isPromptsError } from '../errors/prompts-error.ts'
import { findUnnamedChanges } from '../judge/named-uses.ts'
import type { JudgedPlan } from './plan.ts'

/**
 * Finds the changes that break the app, and what is known of the others: they break nothing. If the app can't be
 * analysed, all are left that can break it.
 *
 * @param first - what all these changes break, if that is known already
 */
export async function findBreaking(
  before: Lock,
  changes: readonly PromptChange[],
  location: AppLocation,
  first?: ImpactReport,
): Promise<Pick<JudgedPlan, 'left' | 'breaks'>> {
  const after = applyChanges(before, changes)
  const unnamed = first ? undefined : await findUnnamedChanges({ ...location, before, after })
  if (unnamed) return { left: [], breaks: { kind: 'checked', report: unnamed } }
  try {
    const { openApp } = await import('../judge/app.ts')
    const { takeCompiling } = await import('./take-compiling.ts')
    const groups = changes.map((change) => ({ changes: [change], obstacles: [], edits: [] }))
    const { left, report } = takeCompiling(await openApp(location), before, groups, first)
    return { left, breaks: { kind: 'checked', report: { ...report, findings: [] } } }
  } catch (error) {
    if (!isPromptsError(error)) throw error
    return { left: unanalysedRows(changes, error.why), breaks: { kind: 'harmless' } }
  }
}

/** The changes to leave if the app can't be analysed: those of contracts. */
export function unanalysedRows(changes: readonly PromptChange[], why: string): ComparedRow[] {
  const reason = `The app can't be analysed: ${why.split('\n', 1)[0]}`
  const risky = indexParts(riskyChanges(changes))
  // Without its live update, the end of a staging version may be a change of the contract.
  return changes
    .filter((change) => [change, change.after ?? change].some((part) => risky.has(partKey(part))))
    .map((change) => skippedRow(change, reason))
}
