import { type ChangedPrompt, isChanged } from '../../../core/compare.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import { describeImpact } from '../../output/describe-change.ts'
import type { PullDraft, SkippedChange } from '../../../features/pull/draft.ts'
import type { ImpactFinding } from '../../../features/usage/impact.ts'
import { ask } from '../../ask.ts'
import type { Channel } from '../../output/channel.ts'
import {
  describeContract,
  describeSettings,
  describeTexts,
  describeVersion,
  displayName,
} from '../../output/describe-change.ts'
import { truncate } from '../../output/display-width.ts'
import type { InteractiveStreams } from '../../output/terminal.ts'
import { printDiff } from '../diff/diff-view.ts'

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
  { canSkip }: PullDraft,
  findings: readonly ImpactFinding[],
  interactive: InteractiveStreams,
): Promise<(typeof ANSWERS)[number]['value']> {
  const message = `${describeImpact(findings)}. What now?`
  const options = ANSWERS.filter(({ value }) => canSkip || !SKIPPING.has(value))
  return ask(interactive, ({ select }, on) =>
    select({ message, options, initialValue: 'cancel', ...on }),
  )
}

/** Prints the diffs of the changed texts. Added prompts have none. */
export function showTexts({ changes }: PullDraft, channel: Channel): void {
  const changed = changes.filter(isChanged).filter(({ kind }) => kind !== 'added')
  if (changed.length > 0) channel.line()
  printDiff(changed, channel)
}

/**
 * Lets the user choose the prompts to update. Those that don't break the app are preselected.
 *
 * @param findings - what the draft breaks; `null` if the app could not be analysed
 * @returns the other changes
 * @throws Interruption on Ctrl-C
 */
export async function choosePrompts(
  draft: PullDraft,
  findings: readonly ImpactFinding[] | null,
  interactive: InteractiveStreams,
): Promise<SkippedChange[]> {
  const changes = draft.changes.filter(isChanged)
  if (changes.length === 0) return []
  const counts = new Map<string | null, number>()
  for (const { slug } of findings ?? []) counts.set(slug, (counts.get(slug) ?? 0) + 1)
  const columns = interactive.output.columns ?? 80
  const options = changes.map((change) => choiceOf(change, counts.get(change.slug) ?? 0, columns))
  const initialValues = changes.flatMap(({ slug }) => (counts.has(slug) ? [] : [slug]))
  const question = { message: 'Which prompts to update?', options, initialValues, required: false }
  const answer = await ask(interactive, ({ multiselect }, on) =>
    multiselect({ ...question, ...on }),
  )
  const chosen = new Set(answer)
  return changes
    .filter(({ slug }) => !chosen.has(slug))
    .map((change) => ({ change, reason: 'not chosen', places: [] }))
}

/** Columns that the question puts around an answer. */
const MARGIN = 10

function choiceOf(
  change: ChangedPrompt,
  breaks: number,
  columns: number,
): { value: string; label: string; hint: string } {
  const slug = displayName(change.slug)
  const label = breaks === 0 ? slug : `${slug} ✖ breaks ${pluralize(breaks, 'place')}`
  const remarks =
    change.kind === 'updated'
      ? [...describeContract(change), ...describeSettings(change), describeTexts(change)]
      : [change.kind]
  const hint = [describeVersion(change), ...remarks].join('  ')
  const left = columns - label.length - MARGIN
  return { value: change.slug, label, hint: truncate(hint, Math.max(10, left)) }
}
