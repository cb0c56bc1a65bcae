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
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { PromptsError } from '../../../errors/prompts-error.ts'
import type { PullDraft } from '../../../features/pull/draft.ts'
import { ask, askYesNo } from '../../ask.ts'
import {
  describeFiles,
  displayName,
  displayNames,
  printChanges,
  printHeldSection,
  printPatch,
  printSkipped,
} from '../../output/change-view.ts'
import type { Channel } from '../../output/channel.ts'
import { printImpact } from '../../output/impact-view.ts'
import { truncate } from '../../output/layout.ts'
import {
  type Decision,
  planByOptions,
  planFixes,
  planWithout,
  planWithoutBreaking,
  type Pull,
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
    const next = await FOLLOW[answer](plan)
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

/** What follows an answer: the same plan, or another one. */
const FOLLOW: Readonly<
  Record<Exclude<Answer, 'write' | 'cancel'>, (plan: PullPlan) => Promise<PullPlan>>
> = {
  async review(plan) {
    await showTexts(plan.rows, plan.context.terminal.stdout)
    return plan
  },
  choose: choosePrompts,
  'skip-breaking': (plan) => planWithoutBreaking(plan, plan.impact ?? undefined),
  fix: planFixes,
}

/** A plan with edits, or that breaks the app, needs an answer: `--yes`, or that of a person. */
async function answerTo({
  context,
  edits = [],
  impact,
  draft,
  skipped,
}: PullPlan): Promise<Answer> {
  const { values, terminal } = context
  const { interactive, messages } = terminal
  const findings = impact?.findings ?? []
  if (edits.length === 0 && findings.length === 0) return 'write'
  if (values.yes || values['dry-run']) return 'write'
  if (interactive === undefined) return 'cancel'
  if (edits.length > 0) {
    messages.line()
    return (await askYesNo('Write the lock?', interactive)) ? 'write' : 'cancel'
  }
  // A choice is verified already, and no other one follows.
  const canSkip = draft.canSkip && skipped.length === 0
  // The calls are edited for one lock, since two edits of a file could contradict each other.
  const canFix = canSkip && draft.live === undefined
  const offers: Partial<Record<Answer, boolean>> = {
    choose: canSkip,
    'skip-breaking': canSkip,
    fix: canFix,
  }
  const message = `${describeImpact(findings)}. What now?`
  const options = ANSWERS.filter(({ value }) => offers[value] ?? true)
  return ask(interactive, ({ select }, on) =>
    select({ message, options, initialValue: 'cancel', ...on }),
  )
}

/** Prints the diffs of the changed texts. Added prompts have none. */
async function showTexts(rows: readonly ComparedRow[], channel: Channel): Promise<void> {
  // On use: it loads the diff library.
  const { printDiff } = await import('../diff/diff-view.ts')
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
  const initialValues = rows.flatMap(({ slug, places }) => (places.length > 0 ? [] : [slug]))
  const question = { message: 'Which prompts to update?', options, initialValues, required: false }
  const answer = await ask(interactive, ({ multiselect }, on) =>
    multiselect({ ...question, ...on }),
  )
  messages.line()
  const chosen = new Set(answer)
  const others = rows.filter(({ slug }) => !chosen.has(slug))
  if (others.length === 0) return plan
  const skipped = others.map(({ change }) => skippedRow(change, 'not chosen'))
  return planWithout(plan, skipped)
}

/** Columns that the question puts around an answer. */
const MARGIN = 10

function choiceOf(row: ChangeRow, columns: number): { value: string; label: string; hint: string } {
  const slug = displayName(row.slug)
  const places = pluralize(row.places.length, 'place')
  const effect = isUnproven(row) ? `▲ unproven in ${places}` : `✖ breaks ${places}`
  const label = row.places.length === 0 ? slug : `${slug} ${effect}`
  const hint = `${describeVersion(row, sanitize)}  ${describeEffects(row, displayName)}`
  const remaining = columns - label.length - MARGIN
  return { value: row.slug, label, hint: truncate(hint, Math.max(10, remaining)) }
}

/** Prints the changes of a pull, what they break and what is edited, before anything is written. */
function printPlan({
  context,
  draft,
  rows,
  following,
  skipped,
  impact,
  edits = [],
}: PullPlan): void {
  const { stdout, messages } = context.terminal
  if (draft.previousLockError !== undefined)
    messages.line(messages.mark('warning', describeRepair(draft.previousLockError, draft)), '')
  const unchanged = countUnchanged(draft.lock.prompts, draft.changes)
  printChanges(rows, unchanged, stdout)
  if (following.length > 0)
    stdout.line(stdout.dim(`${pluralize(following.length, 'other')} as in the live lock`))
  printSkipped(skipped, stdout)
  printHeldSection(draft.held, stdout)
  printNotes(draft.notes, stdout)
  printCollisions(draft.collisions, stdout)
  if (impact && (impact.findings.length > 0 || !skipped.some(isUnproven)))
    printImpact(impact, messages)
  if (edits.length > 0) stdout.line('', stdout.style('bold', `Edits ${describeFiles(edits)}:`))
  for (const { patch } of edits) printPatch(patch, stdout)
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
  const names = displayNames(merged).join(', ')
  return `Both sides were merged; read from the service, since both changed: ${names}.`
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
