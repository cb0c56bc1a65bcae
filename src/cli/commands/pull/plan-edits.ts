import { isChanged } from '../../../core/compare.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { FixPlan, FixQuestion } from '../../../features/fix/plan-fix.ts'
import { readRenames } from '../../../features/fix/read-renames.ts'
import { type ConfirmedRename, guessRenames } from '../../../features/fix/renames.ts'
import type { PullDraft } from '../../../features/pull/draft.ts'
import { ask } from '../../ask.ts'
import { formatPlace } from '../../output/describe-change.ts'
import { codeLocation } from '../../output/impact-view.ts'
import type { InteractiveStreams } from '../../output/terminal.ts'
import type { PullContext } from './pull-context.ts'

/** The edits of a pull, with the confirmed renames. */
export interface PlannedEdits extends FixPlan {
  readonly renames: readonly ConfirmedRename[]
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
  const { rename = [], 'allow-dirty': allowDirty, yes } = context.values
  const named = readRenames(rename, draft)
  const isUnasked = interactive === undefined && guessRenames(draft, named).length > 0
  if (!draft.changes.some(isChanged))
    return { files: [], skipped: [], questions: [], renames: named, isUnasked }
  messages.line(messages.dim('Checking which call sites can be fixed…'))
  // Loads the compiler.
  const { planFix } = await import('../../../features/fix/plan-fix.ts')
  const canAsk = interactive !== undefined && !yes
  const location = await codeLocation(context)
  const plan = await planFix(draft, location, { renames: named, canAsk, allowDirty })
  if (interactive === undefined || plan.questions.length === 0)
    return { ...plan, renames: named, isUnasked }
  const { confirmed, denied } = await askRenames(plan.questions, context, interactive)
  const renames = [...named, ...confirmed]
  if (denied.length === 0) return { ...plan, renames, isUnasked }
  return {
    ...(await planFix(draft, location, { renames, denied, allowDirty })),
    renames,
    isUnasked,
  }
}

const ANSWERS = [
  { value: 'no', label: 'No', hint: 'leave it as pinned' },
  { value: 'yes', label: 'Yes', hint: '' },
  { value: 'all', label: 'Yes to all', hint: '' },
] as const

/** Asks about each guess, after the first line that it changes. */
async function askRenames(
  questions: readonly FixQuestion[],
  { terminal: { messages } }: PullContext,
  interactive: InteractiveStreams,
): Promise<Record<'confirmed' | 'denied', ConfirmedRename[]>> {
  const confirmed: ConfirmedRename[] = []
  const denied: ConfirmedRename[] = []
  let isAll = false
  for (const { rename, place, before, after } of questions) {
    if (!isAll) {
      messages.line('', messages.dim(formatPlace(place)))
      messages.line(messages.style('red', `- ${sanitize(before)}`))
      messages.line(messages.style('green', `+ ${sanitize(after)}`))
      const message = questionOf(rename)
      const answer = await ask(interactive, ({ select }, on) =>
        select({ message, options: [...ANSWERS], initialValue: 'no', ...on }),
      )
      isAll = answer === 'all'
      if (answer === 'no') {
        denied.push(rename)
        continue
      }
    }
    confirmed.push(rename)
  }
  messages.line()
  return { confirmed, denied }
}

function questionOf(guess: ConfirmedRename): string {
  const [from, to] = [guess.from, guess.to].map((name) => sanitize(name))
  if (guess.kind === 'prompt') return `Is the prompt ${from} called ${to} now?`
  return `Is ${from} of ${sanitize(guess.slug)} called ${to} now?`
}
