/** What a pull leaves so that the app compiles: `--skip-breaking`. */
import type { AppLocation } from '../../analysis/app/app.ts'
import type { ImpactReport } from '../../analysis/app/analyse-impact.ts'
import { type ComparedRow, skippedRow } from '../../core/change-row.ts'
import { riskyChanges } from '../../core/classify-change.ts'
import { applyChanges } from '../../core/compare.ts'
import { indexParts, partKey } from '../../core/prompt.ts'
import { isPromptsError, type PromptsError } from '../../errors/prompts-error.ts'
import { type CheckedImpact, findUnnamedChanges } from '../usage/impact.ts'
import type { PullDraft } from './draft.ts'

export interface SkipPlan {
  readonly skipped: readonly ComparedRow[]
  /** What the other changes break: nothing, as far as the app can be analysed. */
  readonly impact: CheckedImpact
}

/**
 * Finds the changes of a pull that break the app. If it can't be analysed, these are all that can break it.
 *
 * @param firstReport - of the first check, if it is made already: of all these changes
 */
export async function skipBreaking(
  draft: Pick<PullDraft, 'before' | 'changes'>,
  location: AppLocation,
  firstReport?: ImpactReport,
): Promise<SkipPlan> {
  const { before, changes } = draft
  if (riskyChanges(changes).length === 0) return { skipped: [], impact: { kind: 'harmless' } }
  const after = applyChanges(before, changes)
  const unnamed = await findUnnamedChanges({ ...location, before, after })
  if (unnamed) return { skipped: [], impact: { kind: 'checked', report: unnamed } }
  try {
    const { takeUnedited } = await import('./take-compiling.ts')
    const { skipped, impact } = await takeUnedited(draft, location, firstReport)
    return { skipped, impact: { kind: 'checked', report: { ...impact, findings: [] } } }
  } catch (error) {
    if (!isPromptsError(error)) throw error
    return {
      skipped: skipUnanalysed(draft, error),
      impact: { kind: 'unchecked', reason: error.why },
    }
  }
}

/** The changes to skip if the app can't be analysed: those of contracts. */
export function skipUnanalysed(
  { changes }: Pick<PullDraft, 'changes'>,
  { why }: PromptsError,
): ComparedRow[] {
  const reason = `The app can't be analysed: ${why.split('\n', 1)[0]}`
  const risky = indexParts(riskyChanges(changes))
  // Without its live update, the end of a staging version may be a change of the contract.
  return changes
    .filter((change) => [change, change.after ?? change].some((part) => risky.has(partKey(part))))
    .map((change) => skippedRow(change, reason))
}
