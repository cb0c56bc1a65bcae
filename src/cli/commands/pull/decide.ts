/**
 * Decides what of a pull is written: a draft with all its changes, without those that break the app
 * (`--skip-breaking`) or that nobody chose, or with edits of the app (`--fix`), as the options say or as a
 * person answers.
 */
import {
  type ChangeRow,
  changeRows,
  type ComparedRow,
  isNotChecked,
  isPublished,
  skippedRow,
  sortRows,
} from '../../../core/change-row.ts'
import { describeEffects, describeImpact, describeVersion } from '../../../core/describe-change.ts'
import { describePart, indexParts, partKey } from '../../../core/prompt.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { type PullDraft, skipChanges } from '../../../features/pull/draft.ts'
import { ask, askChoice, askYesNo } from '../../shell/ask.ts'
import type { Channel } from '../../shell/terminal.ts'
import { truncate } from '../../shell/layout.ts'
import { displayName, formatPlace, printPatch, reportOf } from '../../view/change-view.ts'
import type { FixedFile, FixPlan } from '../../../features/fix/plan-fix.ts'
import { guessRenames, readRenames, type Rename } from '../../../features/fix/renames.ts'
import type { CheckedImpact } from '../../../features/usage/impact.ts'
import {
  analyse,
  checkImpact,
  checkLock,
  codeLocation,
  type codeOptions,
} from '../../project/analyse.ts'
import { lockError } from '../../../fs/lock-store.ts'
import { relativePath } from '../../../fs/paths.ts'
import type { ProjectContext } from '../../project/project-command.ts'
import type { ValuesOf } from '../../shell/command.ts'
import { type PlannedPull, printPlan } from '../../view/draft-view.ts'

/** The options of `prompts pull`, besides those of the code. */
export const pullOptions = {
  interactive: { short: 'i', description: 'Choose the prompts to update from their diffs' },
  'skip-breaking': {
    description: 'Install updates that do not break the app; keep the others pinned',
  },
  fix: { description: 'Edit the calls that the update breaks, after showing every edit' },
  yes: { short: 'y', description: 'Write without asking, even if it breaks the app' },
  'dry-run': { description: 'Show what would change; write nothing' },
  changed: { description: 'Read only prompts whose entry in the list differs from the lock' },
  rename: {
    repeatable: true,
    placeholder: 'slug:old=new',
    description: 'With --fix: a renamed variable, or prompt as old-slug=new-slug; repeatable',
  },
  'allow-dirty': { description: 'With --fix: also edit files with changes that are not committed' },
  report: {
    placeholder: 'file',
    description: 'Write a Markdown report, such as for a pull request',
  },
  'allow-replace': {
    description: 'Accept a workspace that has no prompt of the lock, or none at all',
  },
} as const

/** A pull on the command line: of `prompts pull`, or the first one of `prompts init`. */
export interface PullContext extends ProjectContext {
  readonly values: Partial<ValuesOf<typeof pullOptions & typeof codeOptions>>
  /** Slugs; all prompts if there are none. */
  readonly positionals: readonly string[]
}

/** A prepared pull. */
export interface Pull {
  readonly context: PullContext
  readonly draft: PullDraft
  /** Number of retried requests. */
  readonly retries: number
}

/** A plan of a pull, which its options or answers changed. */
interface PullPlan extends Pull, PlannedPull {
  readonly edits: readonly FixedFile[]
  /** The confirmed renames of `--fix`. */
  readonly renames: readonly Rename[]
  /** Whether `--fix` has guesses that nobody could be asked about. */
  readonly isUnasked: boolean
}

/** A plan, and whether it is written. */
export interface Decision extends PullPlan {
  readonly approved: boolean
}

/**
 * Shows a pull and what it breaks, and asks until a plan of it is accepted or declined. One type check
 * names what breaks, and one more verifies a choice.
 *
 * @throws Interruption on Ctrl-C
 */
export async function decide(pull: Pull): Promise<Decision> {
  const { project, terminal, values } = pull.context
  const { root, dts, outDir } = project.options
  // An app without the declarations of `virtual:prompts` imports the folder.
  const folder =
    dts === false && outDir !== undefined
      ? `./${relativePath(root, outDir)}/staging/index.js`
      : undefined
  const { former } = pull.draft
  const fault = former.kind === 'none' ? undefined : former.fault
  const damage = fault && lockError(fault, project.lock).why
  const origin = { workspace: project.lock.workspace, folder, damage }
  const print = (next: PullPlan): void => printPlan(next, origin, terminal)
  let plan = await planByOptions(pull)
  print(plan)
  const isChoosing = values.interactive && plan.rows.length > 0 && plan.skipped.length === 0
  if (isChoosing) await showTexts(plan.rows, terminal.stdout)
  let answer: Answer = isChoosing ? 'choose' : await answerTo(plan)
  while (answer !== 'write' && answer !== 'cancel') {
    terminal.messages.line()
    const next = await follow(answer, plan)
    if (next !== plan) print(next)
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

/**
 * A plan with edits, that breaks the app, or that replaces a damaged lock needs an answer: `--yes`, or that of a
 * person.
 */
async function answerTo({ context, draft, edits, impact, skipped }: PullPlan): Promise<Answer> {
  const { values, terminal } = context
  const { interactive, messages } = terminal
  const report = reportOf(impact)
  const { findings } = report
  const isDamaged = draft.former.kind === 'damaged'
  if (edits.length === 0 && findings.length === 0 && !isDamaged) return 'write'
  if (values.yes || values['dry-run']) return 'write'
  if (interactive === undefined) return 'cancel'
  if (findings.length === 0) {
    messages.line()
    return (await askYesNo('Write the lock?', interactive)) ? 'write' : 'cancel'
  }
  const message = `${describeImpact(report)}. What now?`
  const isOffered = ({ value }: (typeof ANSWERS)[number]): boolean => {
    // A choice is verified already, and no other one follows.
    if (['write', 'cancel', 'review'].includes(value)) return true
    return skipped.length === 0 && (!isDamaged || value === 'choose')
  }
  const options = ANSWERS.filter(isOffered)
  return askChoice({ message, options, initialValue: 'cancel' }, interactive)
}

/** Plans a pull as the options say. */
function planByOptions(pull: Pull): Promise<PullPlan> {
  const { fix, 'skip-breaking': skips } = pull.context.values
  if (fix) return planFixes(pull)
  return skips ? planWithoutBreaking(pull) : planWithout(pull, [])
}

/** A plan without some changes, and what the others break. */
async function planWithout(pull: Pull, skipped: readonly ComparedRow[]): Promise<PullPlan> {
  const draft = skipChanges(pull.draft, skipped)
  const plan = planOf({ ...pull, draft }, await judge(pull.context, draft))
  // Without its live update, the end of a staging version may break code, and is left, too.
  const left = indexParts(draft.skipped)
  const ends = plan.rows.flatMap((row): ComparedRow[] => {
    const [first] = row.places
    const isLeft = row.change.after && left.has(partKey(row.change.after))
    return isLeft && first ? [{ ...row, reason: first.reason }] : []
  })
  return ends.length > 0 ? planWithout(plan, ends) : plan
}

/** What a draft breaks. No error is old at a part whose former version nobody knows for sure. */
async function judge(context: PullContext, draft: PullDraft): Promise<CheckedImpact> {
  const { former, lock } = draft
  if (former.kind === 'none') return HARMLESS
  const isKnown = former.kind === 'whole' || former.lost.length === 0
  return isKnown ? checkImpact(context, draft) : checkLock(context, undefined, lock)
}

/**
 * A plan without what breaks the app. One type check names that, and one more verifies the others.
 *
 * @param first - the first check, of the whole draft, if it is made already
 */
async function planWithoutBreaking(pull: Pull, first?: CheckedImpact): Promise<PullPlan> {
  const { context, draft } = pull
  const isNew = first === undefined && draft.changes.length > 0
  const label = isNew ? 'Checking which updates break the app' : undefined
  const report = first?.kind === 'checked' ? first.report : undefined
  const args = [changesOf(draft), await codeLocation(context), report] as const
  const { skipped, impact } = await analyse(context, 'skipBreaking', [...args], label)
  return planOf({ ...pull, draft: skipChanges(draft, skipped) }, impact)
}

/** What an analysis needs of a draft: the rest would be cloned for its thread, too. */
function changesOf({ before, changes }: PullDraft): Pick<PullDraft, 'before' | 'changes'> {
  return { before, changes }
}

/**
 * A plan with edits of the app, and without what has no safe edit. Asks about the guesses on which
 * edits depend.
 *
 * @throws PromptsError USAGE for a value of `--rename` that does not match the changes
 * @throws Interruption on Ctrl-C
 */
async function planFixes(pull: Pull): Promise<PullPlan> {
  const { context, draft } = pull
  const { interactive } = context.terminal
  const { rename: values = [], 'allow-dirty': allowDirty, yes } = context.values
  const typed = readRenames(values, draft)
  if (draft.changes.length === 0) return planOf(pull, HARMLESS)
  const guesses = guessRenames(draft, typed)
  const location = await codeLocation(context)
  const isAsked = interactive !== undefined && !yes
  const plan = (renames: readonly Rename[]): Promise<FixPlan> =>
    analyse(
      context,
      'planFix',
      [changesOf(draft), location, { renames, isAsked, allowDirty }],
      'Checking which call sites can be fixed',
    )
  const whole = await plan(isAsked ? [...typed, ...guesses] : typed)
  const questions = (isAsked ? guesses : []).flatMap((rename) => {
    const example = whole.examples.get(rename.slug ?? rename.to)
    return example ? [{ rename, example }] : []
  })
  const renames = [...typed, ...(await askRenames(questions, context))]
  const isWhole = renames.length === typed.length + questions.length
  const { files, skipped } = isWhole ? whole : await plan(renames)
  const isUnasked = interactive === undefined && guesses.length > 0
  const left = { ...pull, draft: skipChanges(draft, skipped) }
  return planOf(left, HARMLESS, { edits: files, renames, isUnasked })
}

/** With its edits, or without changes, no line stops compiling. */
const HARMLESS: CheckedImpact = { kind: 'harmless' }

function planOf(
  pull: Pull,
  impact: CheckedImpact,
  fix: Partial<Pick<PullPlan, 'edits' | 'renames' | 'isUnasked'>> = {},
): PullPlan {
  const { changes, skipped } = pull.draft
  const plan = { rows: changeRows(changes, reportOf(impact)), skipped: sortRows(skipped) }
  return { ...pull, impact, ...plan, edits: [], renames: [], isUnasked: false, ...fix }
}

const RENAME_ANSWERS = [
  { value: 'no', label: 'No', hint: 'leave it as pinned' },
  { value: 'yes', label: 'Yes', hint: '' },
  { value: 'all', label: 'Yes to all', hint: '' },
] as const

/** Asks about guesses, each after the first line that it changes, and returns the confirmed ones. */
async function askRenames(
  questions: readonly { readonly rename: Rename; readonly example: FixedFile }[],
  { terminal: { interactive, messages } }: PullContext,
): Promise<Rename[]> {
  if (interactive === undefined || questions.length === 0) return []
  const confirmed: Rename[] = []
  for (const [index, { rename, example }] of questions.entries()) {
    const { places, patch } = example
    const lines = patch.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line))
    const pair = ['-', '+'].map((sign) => lines.find((line) => line.startsWith(sign)) ?? '')
    messages.line('', ...places.slice(0, 1).map((place) => messages.dim(formatPlace(place))))
    printPatch(pair.join('\n'), messages)
    const { slug, from, to } = rename
    const what = slug === undefined ? `the prompt ${from}` : `${from} of ${slug}`
    const message = sanitize(`Is ${what} called ${to} now?`)
    const choice = { message, options: [...RENAME_ANSWERS] }
    const answer = await askChoice({ ...choice, initialValue: 'no' }, interactive)
    const end = answer === 'all' ? questions.length : index + 1
    if (answer !== 'no')
      confirmed.push(...questions.slice(index, end).map((question) => question.rename))
    if (answer === 'all') break
  }
  messages.line()
  return confirmed
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
  const offered = rows.filter((row) => !isPublished(row))
  if (interactive === undefined || offered.length === 0) return plan
  const { columns = 80 } = interactive.output
  const options = offered.map((row) => choiceOf(row, columns))
  const initialValues = offered.filter(({ places }) => places.length === 0).map(partKey)
  const question = { message: 'Which prompts to update?', options, initialValues, required: false }
  const answer = await ask(interactive, ({ multiselect }, on) =>
    multiselect({ ...question, ...on }),
  )
  messages.line()
  const chosen = new Set(answer)
  const others = offered.filter((row) => !chosen.has(partKey(row)))
  if (others.length === 0) return plan
  const skipped = others.map(({ change }) => skippedRow(change, 'not chosen'))
  return planWithout(plan, skipped)
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
