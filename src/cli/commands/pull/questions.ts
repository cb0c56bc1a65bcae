/** What a pull asks on a terminal. */
import { type ChangeRow, isNotChecked, isPublished, skippedRow } from '../../../core/change-row.ts'
import { describeEffects, describeImpact, describeVersion } from '../../../core/describe-change.ts'
import { describePart, partKey } from '../../../core/prompt.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { leaveRows } from '../../../plan/thread/judge.ts'
import { rowsOf } from '../../../plan/plan.ts'
import { reportOf } from '../../../judge/impact.ts'
import { appCode } from '../../project/analyse.ts'
import { filesToWrite } from '../../project/write.ts'
import { ask, askChoice, askYesNo } from '../../shell/ask.ts'
import { truncate } from '../../shell/layout.ts'
import { displayName, displayNames } from '../../view/change-view.ts'
import type { Deciding, PullContext } from './context.ts'
import type { Offer } from './steps.ts'

/** The last question before edits of the app, or before a damaged lock is replaced. */
export async function confirmWrite(
  { plan }: Deciding,
  context: PullContext,
): Promise<'write' | 'cancel'> {
  const { interactive, messages } = context.terminal
  if (interactive === undefined) return 'cancel'
  messages.line()
  const question = `Write ${await filesToWrite(plan, context)}?`
  return (await askYesNo(question, interactive)) ? 'write' : 'cancel'
}

const LABELS: Readonly<Record<Offer, string>> = {
  review: 'Review the diff',
  choose: 'Choose prompts',
  'skip-breaking': "Take what doesn't break",
  fix: 'Fix call sites',
  write: 'Write anyway',
  cancel: 'Cancel',
}

/** Asks what is done with a plan that breaks lines. */
export async function askStep(
  offers: readonly Offer[],
  deciding: Deciding,
  context: PullContext,
): Promise<Offer> {
  const { interactive, messages } = context.terminal
  if (interactive === undefined) return 'cancel'
  const hints: Readonly<Record<Offer, string>> = {
    review: 'then decide',
    choose: 'the others stay as pinned',
    'skip-breaking': '--skip-breaking',
    fix: describeFix(deciding),
    write: `writes ${await filesToWrite(deciding.plan, context)}`,
    cancel: 'write nothing',
  }
  const options = offers.map((value) => ({ value, label: LABELS[value], hint: hints[value] }))
  const message = `${describeImpact(reportOf(deciding.plan.breaks))}. What now?`
  const answer = await askChoice<Offer>({ message, options, initialValue: 'cancel' }, interactive)
  if (answer !== 'write' && answer !== 'cancel') messages.line()
  return answer
}

/** What `--fix` does, and which new variables it has no values for. */
function describeFix({ fixed }: Deciding): string {
  const added = (fixed?.left ?? []).flatMap(({ effects }) =>
    effects.flatMap((effect) => (effect.kind === 'variable-added' ? effect.name : [])),
  )
  const missing = added.length === 0 ? '' : `, invents no ${displayNames(added).join(', ')}`
  return `--fix: shows the edits first${missing}`
}

/** Prints the diffs of the changed texts. Added prompts have none. */
export async function reviewTexts(
  deciding: Deciding,
  { terminal: { stdout } }: PullContext,
): Promise<Deciding> {
  // On use: it loads the diff library.
  const { printDiff } = await import('../../view/diff-view.ts')
  const changed = rowsOf(deciding.plan).filter(({ kind }) => kind !== 'added')
  if (changed.length > 0) stdout.line()
  printDiff(changed, stdout)
  return deciding
}

/** Lets a person choose the prompts to update. Those that don't break the app are preselected. */
export async function choosePrompts(deciding: Deciding, context: PullContext): Promise<Deciding> {
  const { interactive, messages } = context.terminal
  const offered = rowsOf(deciding.plan).filter((row) => !isPublished(row))
  const chosen = { ...deciding, hasChosen: true }
  if (interactive === undefined || offered.length === 0) return chosen
  if (context.values.interactive && !deciding.hasChosen) await reviewTexts(deciding, context)
  const { columns = 80 } = interactive.output
  const options = offered.map((row) => choiceOf(row, columns))
  const initialValues = offered.filter(({ places }) => places.length === 0).map(partKey)
  const question = { message: 'Which prompts to update?', options, initialValues, required: false }
  const answer = await ask(interactive, ({ multiselect }, on) =>
    multiselect({ ...question, ...on }),
  )
  messages.line()
  const keys = new Set(answer)
  const others = offered.filter((row) => !keys.has(partKey(row)))
  if (others.length === 0) return chosen
  const left = others.map(({ change }) => skippedRow(change, 'not chosen'))
  return { ...chosen, plan: await leaveRows(deciding.plan, left, appCode(context)) }
}

/** Columns that the question puts around an answer. */
const MARGIN = 10

function choiceOf(row: ChangeRow, columns: number): { value: string; label: string; hint: string } {
  const name = describePart(row, displayName)
  const places = pluralize(row.places.length, 'place')
  const effect = isNotChecked(row) ? `▲ not checked: ${places}` : `✖ breaks ${places}`
  const label = row.places.length === 0 ? name : `${name} ${effect}`
  const hint = `${describeVersion(row, sanitize)}  ${describeEffects(row, displayName)}`
  const remaining = columns - label.length - MARGIN
  return { value: partKey(row), label, hint: truncate(hint, Math.max(10, remaining)) }
}
