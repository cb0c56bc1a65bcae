import { sanitize } from '../../../core/text/sanitize.ts'
import type { ConfirmedRename, FixPlan } from '../../../features/fix/fix-plan.ts'
import { guessRenames } from '../../../features/fix/guess-renames.ts'
import { readRenames } from '../../../features/fix/read-renames.ts'
import type { PullDraft } from '../../../features/pull/pull.ts'
import type { SkippedChange } from '../../../features/pull/skipped-change.ts'
import { askYesNo } from '../../ask.ts'
import { codeLocation } from '../../output/impact-view.ts'
import type { PullContext } from './pull-context.ts'

/** The edits of a pull, once they are planned. */
export interface FixSession {
  /** The confirmed renames and the plan; `undefined` before {@link FixSession.plan}. */
  readonly planned: (FixPlan & { readonly renames: readonly ConfirmedRename[] }) | undefined
  /**
   * Asks what was renamed, and plans the edits.
   *
   * @returns the changes that the app does not survive even with edits
   * @throws PromptsError USAGE for a value of `--rename` that does not match the changes
   * @throws Interruption on Ctrl-C
   */
  plan(draft: PullDraft): Promise<readonly SkippedChange[]>
}

/** Creates a session that plans the edits of one pull. */
export function createFixSession(context: PullContext): FixSession {
  const { messages } = context.terminal
  const { rename = [], 'allow-dirty': allowDirty, yes } = context.values
  let planned: FixSession['planned']
  return {
    get planned() {
      return planned
    },
    async plan(draft) {
      const given = readRenames(rename, draft)
      const confirmed = yes ? [] : await confirmGuesses(draft, given, context)
      const renames = [...given, ...confirmed]
      if (draft.changes.every(({ kind }) => kind === 'unchanged')) {
        planned = { files: [], skipped: [], renames }
        return []
      }
      messages.line(messages.dim('Checking which call sites can be fixed…'))
      const location = codeLocation(context, context.values)
      // Loads the compiler.
      const { planFix } = await import('../../../features/fix/plan-fix.ts')
      planned = { ...(await planFix(draft, location, { renames, allowDirty })), renames }
      return planned.skipped
    },
  }
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
