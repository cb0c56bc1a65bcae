import { classifyChanges } from '../../core/classify-change.ts'
import type { PromptChange } from '../../core/compare.ts'
import { printChangeReport } from './print-change-report.ts'
import type { ImpactReport } from '../../features/usage/impact.ts'
import { changedTexts } from './changed-texts.ts'
import { unifiedPatch } from '../../features/diff/text-diff.ts'

/** A comment for a pull request on some changes, in Markdown. */
export function markdownReport(
  changes: readonly PromptChange[],
  impact: ImpactReport | undefined,
  workspace: string,
): string {
  const reported = classifyChanges(changes).map((classified) => ({
    ...classified,
    patches: changedTexts(classified.change).map(({ field, before = '', after = '' }) => ({
      field,
      patch: unifiedPatch(before, after, { old: 'before', now: 'after' }),
    })),
  }))
  return printChangeReport({ workspace, changes: reported, impact: impact?.findings })
}
