import type { ChangeRow, ComparedRow, SkippedChange } from '../../../core/change-row.ts'
import { describeImpact } from '../../../core/describe-change.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import { ask } from '../../ask.ts'
import { displayEffects, displayName, displayVersion } from '../../output/change-view.ts'
import type { Channel } from '../../output/channel.ts'
import { truncate } from '../../output/layout.ts'
import type { InteractiveStreams } from '../../output/terminal.ts'
import { printDiff } from '../diff/diff-view.ts'
import type { PullPlan } from './decide.ts'

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
export function askDecision(
  { draft: { canSkip }, impact, isVerified }: PullPlan,
  interactive: InteractiveStreams,
): Promise<(typeof ANSWERS)[number]['value']> {
  const message = `${describeImpact(impact?.findings ?? [])}. What now?`
  const options = ANSWERS.filter(({ value }) => (canSkip && !isVerified) || !SKIPPING.has(value))
  return ask(interactive, ({ select }, on) =>
    select({ message, options, initialValue: 'cancel', ...on }),
  )
}

/** Prints the diffs of the changed texts. Added prompts have none. */
export function showTexts(rows: readonly ComparedRow[], channel: Channel): void {
  const changed = rows.filter(({ kind }) => kind !== 'added')
  if (changed.length > 0) channel.line()
  printDiff(changed, channel)
}

/**
 * Lets the user choose the prompts to update. Those that don't break the app are preselected.
 *
 * @returns the other changes
 * @throws Interruption on Ctrl-C
 */
export async function choosePrompts(
  rows: readonly ComparedRow[],
  interactive: InteractiveStreams,
): Promise<SkippedChange[]> {
  if (rows.length === 0) return []
  const columns = interactive.output.columns ?? 80
  const options = rows.map((row) => choiceOf(row, columns))
  const initialValues = rows.flatMap(({ slug, places }) => (places.length > 0 ? [] : [slug]))
  const question = { message: 'Which prompts to update?', options, initialValues, required: false }
  const answer = await ask(interactive, ({ multiselect }, on) =>
    multiselect({ ...question, ...on }),
  )
  const chosen = new Set(answer)
  return rows
    .filter(({ slug }) => !chosen.has(slug))
    .map(({ change }) => ({ change, reason: 'not chosen', places: [] }))
}

/** Columns that the question puts around an answer. */
const MARGIN = 10

function choiceOf(row: ChangeRow, columns: number): { value: string; label: string; hint: string } {
  const slug = displayName(row.slug)
  const breaks = row.places.length
  const label = breaks === 0 ? slug : `${slug} ✖ breaks ${pluralize(breaks, 'place')}`
  const hint = `${displayVersion(row)}  ${displayEffects(row)}`
  const remaining = columns - label.length - MARGIN
  return { value: row.slug, label, hint: truncate(hint, Math.max(10, remaining)) }
}
