/** What a pull asks on a terminal. */
import { type ChangeRow, isNotChecked, isPublished, skippedRow } from '../../../core/change-row.ts'
import { describeEffects, describeImpact, describeVersion } from '../../../core/describe-change.ts'
import { describePart, partKey } from '../../../core/prompt.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { leaveRows } from '../../../plan/thread/judge.ts'
import { rowsOf } from '../../../plan/plan.ts'
import { reportOf } from '../../../judge/impact.ts'
import { appCode } from '../../project/analyse.ts'
import { filesToWrite } from '../../project/write.ts'
import { ask, askChoice } from '../../shell/ask.ts'
import { truncate } from '../../shell/layout.ts'
import type { InteractiveStreams } from '../../shell/terminal.ts'
import { displayName, displayNames } from '../../view/change-view.ts'
import type { Deciding, PullContext } from './context.ts'

type Offer = 'review' | 'choose' | 'skip-breaking' | 'fix' | 'write' | 'cancel'

/** What a person decides about a plan that breaks lines. */
export type Answer = Exclude<Offer, 'review'>

/** Asks what is done with a plan that breaks lines. */
export async function askStep(
  deciding: Deciding,
  interactive: InteractiveStreams,
  context: PullContext,
): Promise<Answer> {
  const files = await filesToWrite(deciding.plan, context)
  const texts: Readonly<Record<Offer, readonly [label: string, hint: string]>> = {
    review: ['Review the diff', 'then decide'],
    choose: ['Choose prompts', 'the others stay as pinned'],
    'skip-breaking': ["Update only what doesn't break", '--skip-breaking'],
    fix: ['Fix call sites', describeFix(deciding)],
    write: ['Write anyway', `writes ${files}`],
    cancel: ['Cancel', 'write nothing'],
  }
  const options = offersFor(deciding).map((value) => {
    const [label, hint] = texts[value]
    return { value, label, hint }
  })
  const message = `${describeImpact(reportOf(deciding.plan.breaks))}. What now?`
  const answer = await askChoice<Offer>({ message, options, initialValue: 'cancel' }, interactive)
  if (answer !== 'write' && answer !== 'cancel') context.terminal.messages.line()
  if (answer !== 'review') return answer
  await reviewTexts(deciding, context)
  return askStep(deciding, interactive, context)
}

/** After a choice, the rest is verified. */
function offersFor({ plan, fix }: Deciding): Offer[] {
  if (plan.left.length > 0) return ['review', 'write', 'cancel']
  const isDamaged = plan.before.kind === 'damaged'
  const isFixable = fix !== undefined && fix.plan.edits.length > 0
  return [
    'review',
    'choose',
    ...(isDamaged ? [] : (['skip-breaking'] as const)),
    ...(isFixable ? (['fix'] as const) : []),
    'write',
    'cancel',
  ]
}

/** What `--fix` does, and which new variables it has no values for. */
function describeFix({ fix }: Deciding): string {
  const added = (fix?.plan.left ?? []).flatMap(({ effects }) =>
    effects.flatMap((effect) => (effect.kind === 'variable-added' ? effect.name : [])),
  )
  const missing = added.length === 0 ? '' : `, invents no ${displayNames(added).join(', ')}`
  return `--fix: shows the edits first${missing}`
}

/** Prints the diffs of the changed texts. Added prompts have none. */
async function reviewTexts(
  { plan }: Deciding,
  { terminal: { stdout } }: PullContext,
): Promise<void> {
  // On use: it loads the diff library.
  const { printDiff } = await import('../../view/diff-view.ts')
  const changed = rowsOf(plan).filter(({ kind }) => kind !== 'added')
  if (changed.length > 0) stdout.line()
  printDiff(changed, stdout)
}

/** Lets a person choose the prompts to update. Those that don't break the app are preselected. */
export async function choosePrompts(deciding: Deciding, context: PullContext): Promise<Deciding> {
  const { interactive, messages } = context.terminal
  const offered = rowsOf(deciding.plan).filter((row) => !isPublished(row))
  if (interactive === undefined || offered.length === 0) return deciding
  if (context.values.interactive) await reviewTexts(deciding, context)
  const options = messages.masked(offered).map((row) => choiceOf(row, messages.columns))
  const initialValues = offered.filter(({ places }) => places.length === 0).map(partKey)
  const question = { message: 'Which prompts to update?', options, initialValues, required: false }
  const answer = await ask(interactive, ({ multiselect }, on) =>
    multiselect({ ...question, ...on }),
  )
  messages.line()
  const keys = new Set(answer)
  const others = offered.filter((row) => !keys.has(partKey(row)))
  if (others.length === 0) return deciding
  const left = others.map(({ change }) => skippedRow(change, 'not chosen'))
  return { plan: await leaveRows(deciding.plan, left, appCode(context)) }
}

/** Columns that the question puts around an answer. */
const MARGIN = 10

function choiceOf(row: ChangeRow, columns: number): { value: string; label: string; hint: string } {
  const name = describePart(row, displayName)
  const effect = describeImpact({ findings: row.places, files: 0 })
  const label =
    row.places.length === 0 ? name : `${name} ${isNotChecked(row) ? '▲' : '✖'} ${effect}`
  const hint = `${describeVersion(row, sanitize)}  ${describeEffects(row, displayName)}`
  const remaining = columns - label.length - MARGIN
  return { value: partKey(row), label, hint: truncate(hint, Math.max(10, remaining)) }
}
