import { changeRows } from '../../../core/change-row.ts'
import { isChanged } from '../../../core/compare.ts'
import { rowsAsLive } from '../../../core/drift.ts'
import { leaveChanges, type PullDraft } from '../../../features/pull/draft.ts'
import { skipBreaking } from '../../../features/pull/skip-breaking.ts'
import { addYesOption, type Approval, confirmWrite } from '../../output/approval.ts'
import { type CheckedImpact, checkImpact, codeLocation } from '../../output/impact-view.ts'
import type { InteractiveStreams } from '../../output/terminal.ts'
import { printPullPlan, type PullPlan } from './draft-view.ts'
import type { PlannedEdits } from './plan-edits.ts'
import type { PullContext } from './pull-context.ts'

/** A plan, and whether it is written. */
export interface PullDecision extends PullPlan, Approval {}

/**
 * Shows a draft and what it breaks, and decides what of it is written: as the options say, or by asking
 * until a plan is accepted or declined. One type check names what breaks, and one more verifies a choice.
 *
 * @throws Interruption on Ctrl-C
 */
export async function decide(context: PullContext, whole: PullDraft): Promise<PullDecision> {
  let plan = await planByOptions(context, whole)
  for (;;) {
    printPullPlan(context, plan)
    const next = await review(context, plan)
    if ('approved' in next) return next
    plan = next
  }
}

function planOf(
  draft: PullDraft,
  impact: CheckedImpact,
  more: Pick<PullPlan, 'edits' | 'isVerified'> = {},
): PullPlan {
  const all = changeRows(draft.changes, impact ?? {})
  const following = rowsAsLive(all, draft.live)
  const rows = all.filter((row) => !following.has(row))
  const skipped = changeRows([], { skipped: draft.skipped })
  return { draft, impact, rows, following: [...following], skipped, ...more }
}

async function planByOptions(context: PullContext, draft: PullDraft): Promise<PullPlan> {
  const { terminal, values } = context
  if (values.fix) return planFixes(context, draft)
  if (!values['skip-breaking']) return planAll(context, draft)
  if (draft.changes.some(isChanged))
    terminal.messages.line(terminal.messages.dim('Checking which updates break the app…'))
  return planSkips(context, draft)
}

async function planAll(context: PullContext, draft: PullDraft): Promise<PullPlan> {
  return planOf(draft, await checkImpact(context, draft.before, draft.changes))
}

/** A plan with edits of the app, without what has no safe edit. */
async function planFixes(context: PullContext, draft: PullDraft): Promise<PullPlan> {
  const { planEdits } = await import('./plan-edits.ts')
  const edits = await planEdits(context, draft)
  return planOf(leaveChanges(draft, edits.skipped), undefined, { edits })
}

/**
 * A plan without what breaks the app.
 *
 * @param named - what the whole draft breaks, if that is known
 */
async function planSkips(
  context: PullContext,
  draft: PullDraft,
  named?: CheckedImpact,
): Promise<PullPlan> {
  const { skipped, impact } = await skipBreaking(
    draft,
    await codeLocation(context),
    named ?? undefined,
  )
  return planOf(leaveChanges(draft, skipped), impact, { isVerified: true })
}

/** Decides on a plan that is shown, or gives another plan. */
async function review(context: PullContext, plan: PullPlan): Promise<PullDecision | PullPlan> {
  const { terminal, values, argv } = context
  const { interactive } = terminal
  const { edits, impact, rows, isVerified } = plan
  if (edits !== undefined) return { ...plan, ...(await reviewEdits(context, edits)) }
  if (values.interactive && !isVerified && interactive !== undefined) {
    const { showTexts } = await import('./questions.ts')
    showTexts(rows, terminal.stdout)
    const chosen = await chooseChanges(context, plan, interactive)
    if (chosen !== undefined) return chosen
  }
  if (!impact || impact.findings.length === 0 || values.yes || values['dry-run'])
    return { ...plan, approved: true }
  if (interactive === undefined) return { ...plan, approved: false, next: addYesOption(argv) }
  return askPlan(context, plan, interactive)
}

/** Asks until the update is to be written, or not, or gives another plan. */
async function askPlan(
  context: PullContext,
  plan: PullPlan,
  interactive: InteractiveStreams,
): Promise<PullDecision | PullPlan> {
  const { stdout, messages } = context.terminal
  const { askDecision, showTexts } = await import('./questions.ts')
  for (;;) {
    const answer = await askDecision(plan, interactive)
    if (answer === 'write' || answer === 'cancel') return { ...plan, approved: answer === 'write' }
    messages.line()
    if (answer === 'skip-breaking') return planSkips(context, plan.draft, plan.impact)
    if (answer === 'fix') return planFixes(context, plan.draft)
    if (answer === 'review') showTexts(plan.rows, stdout)
    else {
      const chosen = await chooseChanges(context, plan, interactive)
      if (chosen !== undefined) return chosen
    }
  }
}

/** The plan with the prompts that a person chooses; `undefined` if it is the same. */
async function chooseChanges(
  context: PullContext,
  { draft, rows }: PullPlan,
  interactive: InteractiveStreams,
): Promise<PullPlan | undefined> {
  const { choosePrompts } = await import('./questions.ts')
  const left = await choosePrompts(rows, interactive)
  context.terminal.messages.line()
  if (left.length === 0) return undefined
  const chosen = await planAll(context, leaveChanges(draft, left))
  return { ...chosen, isVerified: true }
}

/**
 * Prints the edits of a pull and asks whether to write them. Without an interactive terminal `--yes` is
 * required. A pull without edits is written, since it breaks nothing.
 *
 * @throws Interruption on Ctrl-C
 */
async function reviewEdits(context: PullContext, { files }: PlannedEdits): Promise<Approval> {
  const { terminal, values } = context
  if (files.length === 0) return { approved: true }
  const { printEdits } = await import('./plan-edits.ts')
  printEdits(files, terminal.stdout)
  if (values.yes || values['dry-run']) return { approved: true }
  if (terminal.interactive !== undefined) terminal.messages.line()
  return confirmWrite('Write the lock?', context)
}
