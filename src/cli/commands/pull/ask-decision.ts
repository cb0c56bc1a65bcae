import { isChanged } from '../../../core/compare.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import type { ImpactFinding } from '../../../features/usage/impact.ts'
import type { PullDecision, PullDraft } from '../../../features/pull/pull.ts'
import { skipBreaking } from '../../../features/pull/skip-breaking.ts'
import { ask } from '../../ask.ts'
import { codeLocation } from '../../output/impact-view.ts'
import type { InteractiveStreams } from '../../output/terminal.ts'
import { printDiff } from '../diff/diff-view.ts'
import { choosePrompts } from './choose-prompts.ts'
import type { PullContext } from './pull-context.ts'
import { type PlannedEdits, planEdits } from './plan-edits.ts'

/** What to do with a draft. */
export interface ReviewDecision {
  readonly decision: PullDecision
  /** The edits of the app, if they are wanted. */
  readonly edits?: PlannedEdits | undefined
}

const ANSWERS = [
  { value: 'review', label: 'Review the diff', hint: 'then decide' },
  { value: 'choose', label: 'Choose prompts', hint: 'the others stay as pinned' },
  { value: 'skip-breaking', label: "Take what doesn't break", hint: '--skip-breaking' },
  { value: 'fix', label: 'Fix call sites', hint: '--fix: shows the edits first' },
  { value: 'write', label: 'Write anyway', hint: '' },
  { value: 'cancel', label: 'Cancel', hint: 'write nothing' },
] as const

/** The answers that keep old entries, which must have the same environment. */
const SKIPPING: ReadonlySet<string> = new Set(['choose', 'skip-breaking', 'fix'])

/**
 * Asks what to do with an update that breaks the app. The answer on Enter is to cancel.
 *
 * @throws Interruption on Ctrl-C
 */
export async function askDecision(
  context: PullContext,
  draft: PullDraft,
  findings: readonly ImpactFinding[],
  interactive: InteractiveStreams,
): Promise<ReviewDecision> {
  const { terminal } = context
  const message = `${pluralize(findings.length, 'place')} would stop working. What now?`
  const options = ANSWERS.filter(({ value }) => draft.canSkip || !SKIPPING.has(value))
  for (;;) {
    const answer = await ask(interactive, ({ select }, on) =>
      select({ message, options, initialValue: 'cancel', ...on }),
    )
    if (answer === 'cancel' || answer === 'write') return { decision: answer === 'write' }
    terminal.messages.line()
    if (answer === 'skip-breaking')
      return { decision: { skip: await skipBreaking(draft, codeLocation(context)) } }
    if (answer === 'fix') {
      const edits = await planEdits(context, draft)
      return { decision: { skip: edits.skipped }, edits }
    }
    if (answer === 'review') printDiff(draft.changes.filter(isChanged), terminal.stdout)
    else {
      const skip = await choosePrompts(draft, findings, interactive)
      terminal.messages.line()
      if (skip.length > 0) return { decision: { skip } }
    }
  }
}
