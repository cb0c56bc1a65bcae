/** Shows a pull, and decides which plan of it is written: as the options say, or as a person answers. */
import {
  type ChangeRow,
  type ComparedRow,
  isUnproven,
  skippedRow,
} from '../../../core/change-row.ts'
import { countUnchanged } from '../../../core/compare.ts'
import { describeEffects, describeImpact, describeVersion } from '../../../core/describe-change.ts'
import type { NameCollision } from '../../../core/names.ts'
import type { PromptNotes } from '../../../core/notes.ts'
import { describePart, partKey } from '../../../core/prompt.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { stagingId } from '../../../core/workspace-name.ts'
import type { PromptsError } from '../../../errors/prompts-error.ts'
import type { PullDraft } from '../../../features/pull/draft.ts'
import { ask, askChoice, askYesNo } from '../../shell/ask.ts'
import type { Channel } from '../../shell/channel.ts'
import { truncate } from '../../shell/layout.ts'
import {
  describeFiles,
  displayName,
  displayNames,
  printChanges,
  printCheckedImpact,
  printHeldSection,
  printKept,
  printPatch,
  printSkipped,
  reportOf,
} from '../../view/change-view.ts'
import {
  type Decision,
  planByOptions,
  planFixes,
  planWithout,
  planWithoutBreaking,
  type Pull,
  type PullContext,
  type PullPlan,
} from './plan.ts'

/**
 * Shows a pull and what it breaks, and asks until a plan of it is accepted or declined. One type check
 * names what breaks, and one more verifies a choice.
 *
 * @throws Interruption on Ctrl-C
 */
export async function decide(pull: Pull): Promise<Decision> {
  const { values, terminal } = pull.context
  let plan = await planByOptions(pull)
  printPlan(plan)
  const isChoosing = values.interactive && plan.rows.length > 0 && plan.skipped.length === 0
  if (isChoosing) await showTexts(plan.rows, terminal.stdout)
  let answer: Answer = isChoosing ? 'choose' : await answerTo(plan)
  while (answer !== 'write' && answer !== 'cancel') {
    terminal.messages.line()
    const next = await follow(answer, plan)
    if (next !== plan) printPlan(next)
    plan = next
    answer = await answerTo(plan)
  }
  return { ...plan, approved: answer === 'write' }
}

const ANSWERS = [
  { value: 'review', label: 'Review the diff', hint: 'then decide' },
  { value: 'choose', label: 'Choose prompts', hint: 'the others stay as pinned' },
  { value: 'skip-breaking', label: "Take what doesn't break", hint: '--skip-breaking' },
  { value: 'fix', label: 'Fix call sites', hint: '--fix: shows the edits first' },
  { value: 'write', label: 'Write anyway', hint: '' },
  { value: 'cancel', label: 'Cancel', hint: 'write nothing' },
] as const

type Answer = (typeof ANSWERS)[number]['value']

/** What follows an answer: another plan, or the same one after a review. */
async function follow(answer: Answer, plan: PullPlan): Promise<PullPlan> {
  if (answer === 'choose') return choosePrompts(plan)
  if (answer === 'skip-breaking') return planWithoutBreaking(plan, plan.impact)
  if (answer === 'fix') return planFixes(plan)
  await showTexts(plan.rows, plan.context.terminal.stdout)
  return plan
}

/** A plan with edits, or that breaks the app, needs an answer: `--yes`, or that of a person. */
async function answerTo({ context, edits, impact, skipped }: PullPlan): Promise<Answer> {
  const { values, terminal } = context
  const { interactive, messages } = terminal
  const { findings } = reportOf(impact)
  if (edits.length === 0 && findings.length === 0) return 'write'
  if (values.yes || values['dry-run']) return 'write'
  if (interactive === undefined) return 'cancel'
  if (edits.length > 0) {
    messages.line()
    return (await askYesNo('Write the lock?', interactive)) ? 'write' : 'cancel'
  }
  const message = `${describeImpact(findings)}. What now?`
  // A choice is verified already, and no other one follows.
  const isOffered = ({ value }: (typeof ANSWERS)[number]): boolean =>
    skipped.length === 0 || ['review', 'write', 'cancel'].includes(value)
  const options = ANSWERS.filter(isOffered)
  return askChoice({ message, options, initialValue: 'cancel' }, interactive)
}

/** Prints the diffs of the changed texts. Added prompts have none. */
async function showTexts(rows: readonly ComparedRow[], channel: Channel): Promise<void> {
  // On use: it loads the diff library.
  const { printDiff } = await import('../../view/diff-view.ts')
  const changed = rows.filter(({ kind }) => kind !== 'added')
  if (changed.length > 0) channel.line()
  printDiff(changed, channel)
}

/** Lets a person choose the prompts to update. Those that don't break the app are preselected. */
async function choosePrompts(plan: PullPlan): Promise<PullPlan> {
  const { rows, context } = plan
  const { interactive, messages } = context.terminal
  if (interactive === undefined) return plan
  const { columns = 80 } = interactive.output
  const options = rows.map((row) => choiceOf(row, columns))
  const initialValues = rows.filter(({ places }) => places.length === 0).map(partKey)
  const question = { message: 'Which prompts to update?', options, initialValues, required: false }
  const answer = await ask(interactive, ({ multiselect }, on) =>
    multiselect({ ...question, ...on }),
  )
  messages.line()
  const chosen = new Set(answer)
  const others = rows.filter((row) => !chosen.has(partKey(row)))
  if (others.length === 0) return plan
  const skipped = others.map(({ change }) => skippedRow(change, 'not chosen'))
  return planWithout(plan, skipped)
}

/** Columns that the question puts around an answer. */
const MARGIN = 10

function choiceOf(row: ChangeRow, columns: number): { value: string; label: string; hint: string } {
  const name = describePart(row, displayName)
  const places = pluralize(row.places.length, 'place')
  const effect = isUnproven(row) ? `▲ unproven in ${places}` : `✖ breaks ${places}`
  const label = row.places.length === 0 ? name : `${name} ${effect}`
  const hint = `${describeVersion(row, sanitize)}  ${describeEffects(row, displayName)}`
  const remaining = columns - label.length - MARGIN
  return { value: partKey(row), label, hint: truncate(hint, Math.max(10, remaining)) }
}

/** Prints the changes of a pull, what they break and what is edited, before anything is written. */
function printPlan({ context, draft, rows, skipped, impact, edits }: PullPlan): void {
  const { stdout, messages } = context.terminal
  if (draft.previousLockError !== undefined)
    messages.line(messages.mark('warning', describeRepair(draft.previousLockError, draft)), '')
  printChanges(rows, countUnchanged(draft.lock, draft.changes), stdout)
  printFirstStaging(context, draft)
  printSkipped(skipped, stdout)
  printHeldSection(draft.held, stdout)
  printKept(draft.kept, stdout)
  printNotes(draft.notes, stdout)
  printCollisions(draft.collisions, stdout)
  const report = impact.kind === 'checked' ? impact.report : undefined
  if (report?.findings.length !== 0 || !skipped.some(isUnproven))
    printCheckedImpact(
      impact,
      messages,
      skipped.length > 0 ? 'The rest breaks nothing in' : undefined,
    )
  if (edits.length > 0) stdout.line('', stdout.style('bold', `Edits ${describeFiles(edits)}:`))
  for (const { patch } of edits) printPatch(patch, stdout)
}

/** Says what the first staging versions are for, and that a lock of a test key becomes one of live texts. */
function printFirstStaging(
  { project, terminal }: PullContext,
  { base, before, lock }: PullDraft,
): void {
  const { messages } = terminal
  const staged = lock.parts.filter(({ environment }) => environment === 'test')
  const isFirst = before.parts.every(({ environment }) => environment === 'live')
  if (isFirst && staged.length > 0) {
    const names = displayNames(staged.map(({ slug }) => slug)).join(', ')
    const id = stagingId(project.options.name)
    messages.line(
      '',
      `${pluralize(staged.length, 'prompt')} ${staged.length === 1 ? 'is' : 'are'} staged: ${names}. In code:`,
      `  import { prompts as staging } from '${id}'`,
    )
  }
  if (base !== undefined && before.environment === 'test' && lock.environment === 'live')
    messages.line('', 'virtual:prompts has the live versions now: every one of them was read.')
}

/** Why the lock before a pull was invalid and how the pull repairs it. */
function describeRepair({ code, why }: PromptsError, { merged }: PullDraft): string {
  const [reason = ''] = why.split('\n')
  return `${reason.replace(/[:.]$/, '')}. ${repairOf(code, merged)}`
}

function repairOf(code: PromptsError['code'], merged: PullDraft['merged']): string {
  if (code === 'LOCK_EDITED') return 'The edited entries are replaced.'
  if (merged === undefined) return 'Its sides could not be merged, so every prompt was read.'
  if (merged.length === 0) return 'Both sides were merged; no prompt changed on both.'
  const names = displayNames(merged.map((part) => describePart(part))).join(', ')
  return `Both sides were merged; both changed these: ${names}.`
}

/** The number of notes and the first one, in one line. `prompts show` prints all of a prompt. */
function printNotes(notes: readonly PromptNotes[], channel: Channel): void {
  const [prompt] = notes
  const [first] = prompt?.first ?? []
  if (prompt === undefined || first === undefined) return
  const total = notes.reduce((sum, { count }) => sum + count, 0)
  const where = `${pluralize(total, 'note')} in ${pluralize(notes.length, 'prompt')}`
  const { field, line, column, excerpt } = first
  const place = `${displayName(prompt.slug)}:${field}:${line}:${column} ${sanitize(excerpt)}`
  const more = total === 1 ? '' : ` and ${formatCount(total - 1)} more`
  const note = truncate(`${where}: ${place}${more}`, channel.columns - 2)
  channel.line('', channel.mark('warning', note))
}

function printCollisions(collisions: readonly NameCollision[], channel: Channel): void {
  for (const { identifier, slugs } of collisions) {
    const names = slugs.map(sanitize).join(' and ')
    const warning = `prompts.${identifier} could be ${names}, so it is neither: use the slugs.`
    channel.line(channel.mark('warning', warning))
  }
}
