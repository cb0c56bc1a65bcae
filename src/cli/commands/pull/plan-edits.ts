import { isChanged } from '../../../core/compare.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { guessRenames } from '../../../features/fix/guess-renames.ts'
import type { FixPlan } from '../../../features/fix/plan-fix.ts'
import { readRenames } from '../../../features/fix/read-renames.ts'
import type { ConfirmedRename } from '../../../features/fix/renames.ts'
import type { PullDraft } from '../../../features/pull/draft.ts'
import { askYesNo } from '../../ask.ts'
import { codeLocation } from '../../output/impact-view.ts'
import type { PullContext } from './pull-context.ts'

/** The edits of a pull, with the confirmed renames. */
export interface PlannedEdits extends FixPlan {
  readonly renames: readonly ConfirmedRename[]
  /** Whether there are probable renames that nobody could be asked about. */
  readonly isUnasked: boolean
}

/**
 * Asks what was renamed, and plans the edits of the app.
 *
 * @throws PromptsError USAGE for a value of `--rename` that does not match the changes
 * @throws Interruption on Ctrl-C
 */
export async function planEdits(context: PullContext, draft: PullDraft): Promise<PlannedEdits> {
  const { messages } = context.terminal
  const { rename = [], 'allow-dirty': allowDirty, yes } = context.values
  const given = readRenames(rename, draft)
  const renames = [...given, ...(yes ? [] : await confirmGuesses(draft, given, context))]
  const isUnasked =
    context.terminal.interactive === undefined && guessRenames(draft, given).length > 0
  if (!draft.changes.some(isChanged)) return { files: [], skipped: [], renames, isUnasked }
  messages.line(messages.dim('Checking which call sites can be fixed…'))
  // Loads the compiler.
  const { planFix } = await import('../../../features/fix/plan-fix.ts')
  const plan = await planFix(draft, codeLocation(context), { renames, allowDirty })
  return { ...plan, renames, isUnasked }
}

/** Asks about each probable rename; nothing without an interactive terminal. */
async function confirmGuesses(
  draft: PullDraft,
  given: readonly ConfirmedRename[],
  { terminal: { interactive, messages } }: PullContext,
): Promise<ConfirmedRename[]> {
  const guesses = guessRenames(draft, given)
  if (interactive === undefined || guesses.length === 0) return []
  const confirmed: ConfirmedRename[] = []
  for (const guess of guesses) {
    if (await askYesNo(questionOf(guess), interactive, false)) confirmed.push(guess)
  }
  messages.line()
  return confirmed
}

function questionOf(guess: ConfirmedRename): string {
  const [from, to] = [guess.from, guess.to].map((name) => sanitize(name))
  if (guess.kind === 'prompt') return `Is the prompt ${from} called ${to} now?`
  return `Is ${from} of ${sanitize(guess.slug)} called ${to} now?`
}
