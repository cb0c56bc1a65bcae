/**
 * What a pull writes: a draft with all its changes, without those that break the app
 * (`--skip-breaking`), or with edits of the app (`--fix`).
 */
import { changeRows, type ComparedRow, sortRows } from '../../../core/change-row.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { FixedFile, FixPlan } from '../../../features/fix/plan-fix.ts'
import { guessRenames, readRenames, type Rename } from '../../../features/fix/renames.ts'
import { type PullDraft, skipChanges } from '../../../features/pull/draft.ts'
import type { CheckedImpact } from '../../../features/usage/impact.ts'
import { analyse, checkImpact, codeLocation, type codeOptions } from '../../project/analyse.ts'
import type { ProjectContext } from '../../project/project-command.ts'
import { askChoice } from '../../shell/ask.ts'
import type { ValuesOf } from '../../shell/options.ts'
import { formatPlace, isSafe, printPatch, reportOf } from '../../view/change-view.ts'

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

/** What a pull may write: a draft without what is skipped, and edits of the app. */
export interface PullPlan extends Pull {
  /** What it breaks in the app. */
  readonly impact: CheckedImpact
  readonly rows: readonly ComparedRow[]
  /** The changes that stay as they are pinned. */
  readonly skipped: readonly ComparedRow[]
  /** How the app is edited, with `--fix`. */
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

/** Plans a pull as the options say. */
export function planByOptions(pull: Pull): Promise<PullPlan> {
  const { fix, 'skip-breaking': skips } = pull.context.values
  if (fix) return planFixes(pull)
  return skips ? planWithoutBreaking(pull) : planWithout(pull, [])
}

/** A plan without some changes, and what the others break. */
export async function planWithout(pull: Pull, skipped: readonly ComparedRow[]): Promise<PullPlan> {
  const draft = skipChanges(pull.draft, skipped)
  return planOf({ ...pull, draft }, await checkImpact(pull.context, draft))
}

/**
 * A plan without what breaks the app. One type check names that, and one more verifies the others.
 *
 * @param first - the first check, of the whole draft, if it is made already
 */
export async function planWithoutBreaking(pull: Pull, first?: CheckedImpact): Promise<PullPlan> {
  const { context, draft } = pull
  const isNew = first === undefined && draft.changes.length > 0
  const label = isNew ? 'Checking which updates break the app' : undefined
  const report = first?.kind === 'checked' ? first.report : undefined
  const args = [changesOf(draft), await codeLocation(context), report] as const
  const { skipped, impact } = await analyse(context, 'skipBreaking', [...args], label)
  return planOf(await leave(pull, skipped), impact)
}

/** What an analysis needs of a draft: the rest would be cloned for its thread, too. */
function changesOf({ before, changes }: PullDraft): Pick<PullDraft, 'before' | 'changes'> {
  return { before, changes }
}

/** Leaves changes. A lock that serves staging goes on if the app does not compile with the live versions. */
async function leave(pull: Pull, skipped: readonly ComparedRow[]): Promise<Pull> {
  const draft = skipChanges(pull.draft, skipped)
  const { environment } = draft.before
  const isSameView = environment === draft.lock.environment
  if (isSameView || isSafe(await checkImpact(pull.context, draft))) return { ...pull, draft }
  return { ...pull, draft: { ...draft, lock: { ...draft.lock, environment } } }
}

/**
 * A plan with edits of the app, and without what has no safe edit. Asks about the guesses on which
 * edits depend.
 *
 * @throws PromptsError USAGE for a value of `--rename` that does not match the changes
 * @throws Interruption on Ctrl-C
 */
export async function planFixes(pull: Pull): Promise<PullPlan> {
  const { context, draft } = pull
  const { interactive } = context.terminal
  const { rename: values = [], 'allow-dirty': allowDirty, yes } = context.values
  const typed = readRenames(values, draft)
  if (draft.changes.length === 0) return planOf(pull, HARMLESS, { renames: typed })
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
  return planOf(await leave(pull, skipped), HARMLESS, { edits: files, renames, isUnasked })
}

/** With its edits, or without changes, nothing breaks. */
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

const ANSWERS = [
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
    const message = questionOf(rename)
    const choice = { message, options: [...ANSWERS] }
    const answer = await askChoice({ ...choice, initialValue: 'no' }, interactive)
    const end = answer === 'all' ? questions.length : index + 1
    if (answer !== 'no')
      confirmed.push(...questions.slice(index, end).map((question) => question.rename))
    if (answer === 'all') break
  }
  messages.line()
  return confirmed
}

function questionOf({ slug, from, to }: Rename): string {
  const what = slug === undefined ? `the prompt ${from}` : `${from} of ${slug}`
  return sanitize(`Is ${what} called ${to} now?`)
}
