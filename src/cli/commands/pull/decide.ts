import { type ComparedRow, changeRows } from '../../../core/change-row.ts'
import { countUnchanged } from '../../../core/compare.ts'
import { rowsAsLive } from '../../../core/drift.ts'
import type { NameCollision } from '../../../core/names.ts'
import type { PromptNotes } from '../../../core/notes.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { PromptsError } from '../../../errors/prompts-error.ts'
import { type PullDraft, skipChanges } from '../../../features/pull/draft.ts'
import { skipBreaking } from '../../../features/pull/skip-breaking.ts'
import { type Approval, addOptions, confirmWrite } from '../../output/approval.ts'
import {
  displayName,
  displayNames,
  printChanges,
  printHeldSection,
  printSkipped,
} from '../../output/change-view.ts'
import type { Channel } from '../../output/channel.ts'
import {
  type CheckedImpact,
  checkImpact,
  codeLocation,
  printImpact,
} from '../../output/impact-view.ts'
import { truncate } from '../../output/layout.ts'
import type { InteractiveStreams } from '../../output/terminal.ts'
import { type ProjectContext, displayPath } from '../../project-command.ts'
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
  if (draft.changes.length > 0)
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
  return planOf(skipChanges(draft, edits.skipped), undefined, { edits })
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
  return planOf(skipChanges(draft, skipped), impact, { isVerified: true })
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
  if (interactive === undefined)
    return { ...plan, approved: false, next: addOptions(argv, '--yes') }
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
  const skipped = await choosePrompts(rows, interactive)
  context.terminal.messages.line()
  if (skipped.length === 0) return undefined
  const chosen = await planAll(context, skipChanges(draft, skipped))
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

/** What a pull may write: a draft without what is skipped, and edits of the app. */
export interface PullPlan {
  readonly draft: PullDraft
  /** What it breaks in the app. */
  readonly impact: CheckedImpact
  readonly rows: readonly ComparedRow[]
  /** The changes of prompts without a staging version, which the live lock has too. */
  readonly following: readonly ComparedRow[]
  /** The changes that stay as they are pinned. */
  readonly skipped: readonly ComparedRow[]
  /** The edits of the app, if they are wanted. */
  readonly edits?: PlannedEdits | undefined
  /** Whether the plan is a choice that is verified, which no other choice follows. */
  readonly isVerified?: boolean | undefined
}

/** Prints the changes of a pull and what they break, before the lock is written. */
function printPullPlan(
  context: ProjectContext,
  { draft, rows, following, skipped, impact }: PullPlan,
): void {
  const { stdout, messages } = context.terminal
  printRepair(context, draft)
  const unchanged = countUnchanged(draft.lock.prompts, draft.changes)
  printChanges(rows, unchanged, stdout)
  if (following.length > 0)
    stdout.line(stdout.dim(`${pluralize(following.length, 'other')} as in the live lock`))
  printSkipped(skipped, stdout)
  printHeldSection(draft.held, stdout)
  printNotes(draft.notes, stdout)
  printCollisions(draft.collisions, stdout)
  if (impact) printImpact(impact, messages)
}

/** Prints why the lock before a pull was invalid and how the pull repairs it; nothing for a valid one. */
function printRepair(context: ProjectContext, { previousLockError, merged }: PullDraft): void {
  if (previousLockError === undefined) return
  const { messages } = context.terminal
  const { path } = context.project.lock
  const [first = ''] = previousLockError.why.split('\n')
  const shownPath = sanitize(displayPath(path, context))
  const reason = first.replace(sanitize(path), () => shownPath).replace(/[:.]$/, '')
  const repair = describeRepair(previousLockError, merged)
  messages.line(messages.mark('warning', `${reason}. ${repair}`), '')
}

function describeRepair({ code }: PromptsError, merged: readonly string[] | undefined): string {
  if (code === 'LOCK_EDITED') return 'The edited entries are replaced.'
  if (merged === undefined) return 'Its sides could not be merged, so every prompt was read.'
  if (merged.length === 0) return 'Both sides were merged; no prompt changed on both.'
  const names = displayNames(merged).join(', ')
  return `Both sides were merged; read from the service, since both changed: ${names}.`
}

/** The number of notes and the first one, in one line. `prompts show` prints all of a prompt. */
function printNotes(notes: readonly PromptNotes[], channel: Channel): void {
  const [first] = notes
  if (first === undefined) return
  const total = notes.reduce((sum, { count }) => sum + count, 0)
  const where = `${pluralize(total, 'note')} in ${pluralize(notes.length, 'prompt')}`
  const more = total === 1 ? '' : ` and ${formatCount(total - 1)} more`
  const note = truncate(`${where}: ${describeNote(first)}${more}`, channel.columns - 2)
  channel.line('', channel.mark('warning', note))
}

function describeNote({ slug, first: [note] }: PromptNotes): string {
  const prompt = displayName(slug)
  if (note === undefined) return prompt
  return `${prompt}:${note.field}:${note.line}:${note.column} ${sanitize(note.excerpt)}`
}

function printCollisions(collisions: readonly NameCollision[], channel: Channel): void {
  for (const { identifier, slugs } of collisions) {
    const names = slugs.map(sanitize).join(' and ')
    channel.line(
      channel.mark(
        'warning',
        `prompts.${identifier} could be ${names}, so it is neither: use the slugs.`,
      ),
    )
  }
}
