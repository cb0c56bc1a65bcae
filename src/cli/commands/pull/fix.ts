/** `--fix`: the plan with edits of the app, for the renames that a person confirms. */
import { sanitize } from '../../../core/text/sanitize.ts'
import { rename } from '../../../plan/thread/judge.ts'
import { guessRenames, readRenames, type Rename } from '../../../plan/fix/renames.ts'
import { changesOf, type JudgedPlan, type Plan } from '../../../plan/plan.ts'
import { appCode } from '../../project/analyse.ts'
import { askChoice } from '../../shell/ask.ts'
import { formatPlace, printPatch } from '../../view/change-view.ts'
import type { Deciding, Fix, PullContext } from './context.ts'

/** @throws PromptsError USAGE for a value of `--rename` that does not match the changes */
export async function tryFix(plan: Plan, context: PullContext): Promise<Fix> {
  const changes = changesOf(plan)
  const named = readRenames(context.values.rename ?? [], changes)
  const guesses = guessRenames(changes, named)
  const renames = isAsked(context) ? [...named, ...guesses] : named
  return { plan: await fixPlan(plan, renames, context), named, guesses }
}

/** Whether a person confirms guesses. */
export function isAsked({ values, terminal }: PullContext): boolean {
  return terminal.interactive !== undefined && !values.yes
}

function fixPlan(
  plan: Plan,
  renames: readonly Rename[],
  context: PullContext,
): Promise<JudgedPlan> {
  const { 'allow-dirty': allowDirty } = context.values
  return rename(plan, { renames, isAsked: isAsked(context), allowDirty }, appCode(context))
}

/** A plan with the edits for the renames that were named, and for the guesses that a person confirms. */
export async function confirmFix(
  { plan, fix: tried }: Deciding<Plan>,
  context: PullContext,
): Promise<Deciding> {
  const fix = tried ?? (await tryFix(plan, context))
  const questions = isAsked(context) ? questionsOf(fix) : []
  const confirmed = await askRenames(questions, context)
  const renames = [...fix.named, ...confirmed]
  const isWhole = confirmed.length === questions.length
  return { plan: isWhole ? fix.plan : await fixPlan(plan, renames, context), renames, fix }
}

/** A guess, and the first line that it changes. */
type Question = ReturnType<typeof questionsOf>[number]

function questionsOf({ plan, guesses }: Fix) {
  const places = plan.edits.flatMap(({ before, after, places: own }) =>
    own.map((place) => ({ place, texts: [before, after] })),
  )
  return guesses.flatMap((guess) => {
    const first = places.find(({ place }) => place.slugs.includes(guess.slug ?? guess.to))
    if (first === undefined) return []
    const { place, texts } = first
    const [before, after] = texts.map(
      (text) => text.split(/\r\n|[\n\r\u2028\u2029]/)[place.line - 1] ?? '',
    )
    return { guess, place, patch: `-${before}\n+${after}` }
  })
}

const RENAME_ANSWERS = [
  { value: 'no', label: 'No', hint: 'leave it as pinned' },
  { value: 'yes', label: 'Yes', hint: '' },
  { value: 'all', label: 'Yes to all', hint: '' },
] as const

/** Asks about guesses, and returns the confirmed ones. */
async function askRenames(
  questions: readonly Question[],
  { terminal: { interactive, messages } }: PullContext,
): Promise<Rename[]> {
  if (interactive === undefined || questions.length === 0) return []
  const confirmed: Rename[] = []
  let answer: (typeof RENAME_ANSWERS)[number]['value'] = 'no'
  for (const { guess, place, patch } of questions) {
    if (answer !== 'all') {
      messages.line('', messages.dim(formatPlace(place)))
      printPatch(patch, messages)
      const { slug, from, to } = guess
      const what = slug === undefined ? `the prompt ${from}` : `${from} of ${slug}`
      const message = sanitize(`Is ${what} called ${to} now?`)
      const options = [...RENAME_ANSWERS]
      answer = await askChoice({ message, options, initialValue: 'no' }, interactive)
    }
    if (answer !== 'no') confirmed.push(guess)
  }
  messages.line()
  return confirmed
}
