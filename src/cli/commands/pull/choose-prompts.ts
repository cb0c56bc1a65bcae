import { type ChangedPrompt, isChanged } from '../../../core/compare.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import type { ImpactFinding } from '../../../features/usage/impact.ts'
import type { PullDraft } from '../../../features/pull/pull.ts'
import type { SkippedChange } from '../../../features/pull/skipped-change.ts'
import { ask } from '../../ask.ts'
import {
  describeContract,
  describeSettings,
  describeTexts,
  describeVersion,
  displayName,
} from '../../output/describe-change.ts'
import { truncate } from '../../output/display-width.ts'
import type { Channel } from '../../output/channel.ts'
import type { InteractiveStreams } from '../../output/terminal.ts'
import { printDiff } from '../diff/diff-view.ts'

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
  const breaks = (slug: string): number =>
    findings?.filter((finding) => finding.slug === slug).length ?? 0
  const columns = interactive.output.columns ?? 80
  const options = changes.map((change) => choiceOf(change, breaks(change.slug), columns))
  const initialValues = changes.flatMap(({ slug }) => (breaks(slug) > 0 ? [] : [slug]))
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
