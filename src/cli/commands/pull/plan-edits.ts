import { sanitize } from '../../../core/text/sanitize.ts'
import type { FixedFile, FixPlan } from '../../../features/fix/plan-fix.ts'
import { guessRenames, readRenames, type Rename } from '../../../features/fix/renames.ts'
import type { PullDraft } from '../../../features/pull/draft.ts'
import { ask } from '../../ask.ts'
import type { Channel } from '../../output/channel.ts'
import { describeFiles, formatPlace, printPatch } from '../../output/change-view.ts'
import { codeLocation } from '../../output/impact-view.ts'
import type { InteractiveStreams } from '../../output/terminal.ts'
import type { PullContext } from './pull-context.ts'

/** The edits of a pull, with the confirmed renames. */
export interface PlannedEdits extends Omit<FixPlan, 'examples'> {
  readonly renames: readonly Rename[]
  /** Whether there are probable renames that nobody could be asked about. */
  readonly isUnasked: boolean
}

/**
 * Plans the edits of the app, and asks about the guesses on which they depend.
 *
 * @throws PromptsError USAGE for a value of `--rename` that does not match the changes
 * @throws Interruption on Ctrl-C
 */
export async function planEdits(context: PullContext, draft: PullDraft): Promise<PlannedEdits> {
  const { interactive, messages } = context.terminal
  const { rename: values = [], 'allow-dirty': allowDirty, yes } = context.values
  const named = readRenames(values, draft)
  const guesses = guessRenames(draft, named)
  const isUnasked = interactive === undefined && guesses.length > 0
  if (draft.changes.length === 0) return { files: [], skipped: [], renames: named, isUnasked }
  messages.line(messages.dim('Checking which call sites can be fixed…'))
  // Loads the compiler.
  const { planFix } = await import('../../../features/fix/plan-fix.ts')
  const location = await codeLocation(context)
  const plan = (renames: readonly Rename[]): Promise<FixPlan> =>
    planFix(draft, location, { renames, allowDirty })
  if (interactive === undefined || yes) return { ...(await plan(named)), renames: named, isUnasked }
  const whole = await plan([...named, ...guesses])
  const questions = guesses.flatMap((rename) => {
    const example = whole.examples.get(rename.slug ?? rename.to)
    return example ? [{ rename, example }] : []
  })
  const renames = [...named, ...(await askRenames(questions, context, interactive))]
  const isWhole = renames.length === named.length + questions.length
  return { ...(isWhole ? whole : await plan(renames)), renames, isUnasked }
}

const ANSWERS = [
  { value: 'no', label: 'No', hint: 'leave it as pinned' },
  { value: 'yes', label: 'Yes', hint: '' },
  { value: 'all', label: 'Yes to all', hint: '' },
] as const

/** Asks about each guess that edits depend on, after the first line that it changes, and returns the confirmed ones. */
async function askRenames(
  questions: readonly { readonly rename: Rename; readonly example: FixedFile }[],
  { terminal: { messages } }: PullContext,
  interactive: InteractiveStreams,
): Promise<Rename[]> {
  const confirmed: Rename[] = []
  for (const [index, { rename, example }] of questions.entries()) {
    const { places, patch } = example
    const lines = patch.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line))
    const changed = ['-', '+'].map((sign) => lines.find((line) => line.startsWith(sign)) ?? '')
    messages.line('', ...places.slice(0, 1).map((place) => messages.dim(formatPlace(place))))
    printPatch(changed.join('\n'), messages)
    const answer = await ask(interactive, ({ select }, on) =>
      select({ message: questionOf(rename), options: [...ANSWERS], initialValue: 'no', ...on }),
    )
    const end = answer === 'all' ? questions.length : index + 1
    if (answer !== 'no') confirmed.push(...questions.slice(index, end).map((each) => each.rename))
    if (answer === 'all') break
  }
  messages.line()
  return confirmed
}

function questionOf({ slug, from, to }: Rename): string {
  const what = slug === undefined ? `the prompt ${from}` : `${from} of ${slug}`
  return sanitize(`Is ${what} called ${to} now?`)
}

/** Prints the edits of the app. */
export function printEdits(files: readonly FixedFile[], channel: Channel): void {
  channel.line('', channel.style('bold', `Edits ${describeFiles(files)}:`))
  for (const { patch } of files) printPatch(patch, channel)
}
