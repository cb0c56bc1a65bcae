/** `--fix`: the plan with edits of the app, for the renames that a person confirms. */
import { sanitize } from '../../../core/text/sanitize.ts'
import { rename } from '../../../plan/thread/judge.ts'
import { guessRenames, readRenames, type Rename } from '../../../plan/fix/renames.ts'
import {
  changesOf,
  type EditPlace,
  type FileEdit,
  type JudgedPlan,
  type Plan,
} from '../../../plan/plan.ts'
import { appCode } from '../../project/analyse.ts'
import { askChoice } from '../../shell/ask.ts'
import { formatPlace, printPatch } from '../../view/change-view.ts'
import type { Deciding, PullContext } from './context.ts'

/** Adds the plan with every edit that a person can be asked about. */
export async function tryFix(deciding: Deciding, context: PullContext): Promise<Deciding> {
  const { typed, guesses } = renamesOf(deciding.plan, context)
  const { plan } = deciding
  const isEmpty = typed.length + guesses.length === 0
  return {
    ...deciding,
    fixed: isEmpty ? plan : await fixPlan(plan, [...typed, ...guesses], context),
  }
}

/** A plan with the edits for the renames that were named, and for the guesses that a person confirms. */
export async function confirmFix(
  { plan, fixed }: Deciding<Plan>,
  context: PullContext,
): Promise<Deciding> {
  const { typed, guesses } = renamesOf(plan, context)
  const whole = fixed ?? (await fixPlan(plan, [...typed, ...guesses], context))
  const questions = guesses.flatMap((guess) => {
    const example = exampleOf(guess, whole.edits)
    return example ? [{ rename: guess, ...example }] : []
  })
  const renames = [...typed, ...(await askRenames(questions, context))]
  const isWhole = renames.length === typed.length + questions.length
  return {
    plan: isWhole ? whole : await fixPlan(plan, renames, context),
    renames,
    hasChosen: false,
  }
}

/** The renames that options name, and guesses, as far as somebody can be asked about them. */
function renamesOf(
  plan: Plan,
  { values, terminal }: PullContext,
): { readonly typed: readonly Rename[]; readonly guesses: readonly Rename[] } {
  const changes = changesOf(plan)
  const typed = readRenames(values.rename ?? [], changes)
  const isAsked = terminal.interactive !== undefined && !values.yes
  return { typed, guesses: isAsked ? guessRenames(changes, typed) : [] }
}

function fixPlan(
  plan: Plan,
  renames: readonly Rename[],
  context: PullContext,
): Promise<JudgedPlan> {
  const { yes, 'allow-dirty': allowDirty } = context.values
  const isAsked = context.terminal.interactive !== undefined && !yes
  return rename(plan, { renames, isAsked, allowDirty }, appCode(context))
}

/** The first line that a rename changes. */
interface Example {
  readonly place: EditPlace
  readonly before: string
  readonly after: string
}

function exampleOf({ slug, to }: Rename, edits: readonly FileEdit[]): Example | undefined {
  for (const edit of edits) {
    const place = edit.places.find(({ slugs }) => slugs.includes(slug ?? to))
    if (place === undefined) continue
    const [before, after] = [edit.before, edit.after].map(
      (text) => text.split(/\r\n|[\n\r\u2028\u2029]/)[place.line - 1] ?? '',
    )
    return { place, before: before ?? '', after: after ?? '' }
  }
  return undefined
}

const RENAME_ANSWERS = [
  { value: 'no', label: 'No', hint: 'leave it as pinned' },
  { value: 'yes', label: 'Yes', hint: '' },
  { value: 'all', label: 'Yes to all', hint: '' },
] as const

/** Asks about guesses, each after the first line that it changes, and returns the confirmed ones. */
async function askRenames(
  questions: readonly (Example & { readonly rename: Rename })[],
  { terminal: { interactive, messages } }: PullContext,
): Promise<Rename[]> {
  if (interactive === undefined || questions.length === 0) return []
  const confirmed: Rename[] = []
  for (const [index, { rename: guess, place, before, after }] of questions.entries()) {
    messages.line('', messages.dim(formatPlace(place)))
    printPatch(`-${before}\n+${after}`, messages)
    const { slug, from, to } = guess
    const what = slug === undefined ? `the prompt ${from}` : `${from} of ${slug}`
    const message = sanitize(`Is ${what} called ${to} now?`)
    const options = [...RENAME_ANSWERS]
    const answer = await askChoice({ message, options, initialValue: 'no' }, interactive)
    const end = answer === 'all' ? questions.length : index + 1
    if (answer !== 'no')
      confirmed.push(...questions.slice(index, end).map((question) => question.rename))
    if (answer === 'all') break
  }
  messages.line()
  return confirmed
}
