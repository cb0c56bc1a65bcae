import { classifyChanges } from '../../core/classify-change.ts'
import type { PromptChange } from '../../core/compare.ts'
import { type ChangeReport, printChangeReport } from './print-change-report.ts'
import type { ImpactReport } from '../../features/usage/impact.ts'
import { changedTexts } from './changed-texts.ts'
import { unifiedPatch } from '../../features/diff/text-diff.ts'

/** What a report for a pull request is about. */
export interface ReportSource extends Pick<ChangeReport, 'workspace' | 'skipped' | 'held'> {
  readonly changes: readonly PromptChange[]
  readonly impact: ImpactReport['findings'] | undefined
}

/** The changes as a Markdown comment for a pull request. */
export function markdownReport({ changes, impact, ...rest }: ReportSource): string {
  const reported = classifyChanges(changes).map((classified) => ({
    ...classified,
    patches: changedTexts(classified.change).map(({ field, before = '', after = '' }) => ({
      field,
      patch: unifiedPatch(before, after, { old: 'before', now: 'after' }),
    })),
  }))
  return printChangeReport({ ...rest, changes: reported, impact })
}
