import { isChanged } from '../../../core/compare.ts'
import { leaveChanges, type PullDraft } from '../../../features/pull/draft.ts'
import { skipBreaking } from '../../../features/pull/skip-breaking.ts'
import type { ImpactFinding } from '../../../features/usage/impact.ts'
import { addYesOption, type Approval, confirmWrite, showImpact } from '../../output/approval.ts'
import { codeLocation } from '../../output/impact-view.ts'
import type { InteractiveStreams } from '../../output/terminal.ts'
import { printPullDraft } from './draft-view.ts'
import { type PlannedEdits, planEdits, printEdits } from './plan-edits.ts'
import type { PullContext } from './pull-context.ts'

/** What a pull may write: a draft without what is left, and edits of the app. */
export interface PullPlan {
  readonly draft: PullDraft
  /** The edits of the app, if they are wanted. */
  readonly edits?: PlannedEdits | undefined
  /** Whether a person has chosen the prompts. */
  readonly isChosen?: boolean | undefined
}

/** A plan, and whether it is written. */
export interface PullDecision extends PullPlan, Approval {
  /** What it breaks in the app; `null` if the app could not be analysed. */
  readonly findings: readonly ImpactFinding[] | null
}

/**
 * Shows a draft and what it breaks, and decides what of it is written: as the options say, or by asking
 * until a plan is accepted or declined.
 *
 * @throws Interruption on Ctrl-C
 */
export async function decide(context: PullContext, whole: PullDraft): Promise<PullDecision> {
  let plan = await planByOptions(context, whole)
  for (;;) {
    printPullDraft(context, plan.draft)
    const next = await review(context, plan)
    if ('approved' in next) return next
    plan = next
  }
}

async function planByOptions(context: PullContext, draft: PullDraft): Promise<PullPlan> {
  const { terminal, values } = context
  if (values.fix) return planFixes(context, draft)
  if (!values['skip-breaking'] || !draft.changes.some(isChanged)) return { draft }
  terminal.messages.line(terminal.messages.dim('Checking which updates break the app…'))
  return planSkips(context, draft)
}

/** A plan with edits of the app, without what has no safe edit. */
async function planFixes(context: PullContext, draft: PullDraft): Promise<PullPlan> {
  const edits = await planEdits(context, draft)
  return { draft: leaveChanges(draft, edits.skipped), edits }
}

/** A plan without what breaks the app. */
async function planSkips(context: PullContext, draft: PullDraft): Promise<PullPlan> {
  const skipped = await skipBreaking(draft, await codeLocation(context))
  return { draft: leaveChanges(draft, skipped) }
}

/** Decides on a plan that is shown, or gives another plan. */
async function review(context: PullContext, plan: PullPlan): Promise<PullDecision | PullPlan> {
  const { terminal, values, argv } = context
  const { interactive } = terminal
  const { draft, edits, isChosen } = plan
  if (edits !== undefined) return { ...plan, findings: [], ...(await reviewEdits(context, edits)) }
  const findings = await showImpact(context, draft.before, draft.changes)
  if (values.interactive && !isChosen && interactive !== undefined) {
    const { showTexts } = await import('./questions.ts')
    showTexts(draft, terminal.stdout)
    const chosen = await chooseChanges(context, draft, findings, interactive)
    if (chosen !== undefined) return chosen
  }
  if (findings === null || findings.length === 0 || values.yes || values['dry-run'])
    return { ...plan, findings, approved: true }
  if (interactive === undefined)
    return { ...plan, findings, approved: false, next: addYesOption(argv) }
  const answer = await askPlan(context, draft, findings, interactive)
  return typeof answer === 'boolean' ? { ...plan, findings, approved: answer } : answer
}

/** Asks until the update is to be written, or not, or gives another plan. */
async function askPlan(
  context: PullContext,
  draft: PullDraft,
  findings: readonly ImpactFinding[],
  interactive: InteractiveStreams,
): Promise<boolean | PullPlan> {
  const { stdout, messages } = context.terminal
  const { askDecision, showTexts } = await import('./questions.ts')
  for (;;) {
    const answer = await askDecision(draft, findings, interactive)
    if (answer === 'write' || answer === 'cancel') return answer === 'write'
    messages.line()
    if (answer === 'skip-breaking') return planSkips(context, draft)
    if (answer === 'fix') return planFixes(context, draft)
    if (answer === 'review') showTexts(draft, stdout)
    else {
      const chosen = await chooseChanges(context, draft, findings, interactive)
      if (chosen !== undefined) return chosen
    }
  }
}

/** The plan with the prompts that a person chooses; `undefined` if it is the same. */
async function chooseChanges(
  { terminal }: PullContext,
  draft: PullDraft,
  findings: readonly ImpactFinding[] | null,
  interactive: InteractiveStreams,
): Promise<PullPlan | undefined> {
  const { choosePrompts } = await import('./questions.ts')
  const left = await choosePrompts(draft, findings, interactive)
  terminal.messages.line()
  return left.length === 0 ? undefined : { draft: leaveChanges(draft, left), isChosen: true }
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
  printEdits(files, terminal.stdout)
  if (values.yes || values['dry-run']) return { approved: true }
  if (terminal.interactive !== undefined) terminal.messages.line()
  return confirmWrite('Write the lock?', context)
}
