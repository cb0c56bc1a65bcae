import { sanitize } from '../../../core/text/sanitize.ts'
import type { ConfirmedRename, FixPlan } from '../../../features/fix/fix-plan.ts'
import { guessRenames } from '../../../features/fix/guess-renames.ts'
import { readRenames } from '../../../features/fix/read-renames.ts'
import type { Project } from '../../../features/project/project.ts'
import type { PullDraft } from '../../../features/pull/pull.ts'
import type { SkippedChange } from '../../../features/pull/skipped-change.ts'
import type { CommandContext } from '../../args/command.ts'
import { codeLocation } from '../../output/impact-view.ts'

/** How to fix call sites. */
export interface FixChoice {
  /** Values of `--rename`. */
  readonly renames: readonly string[]
  readonly allowDirty: boolean
  /** Whether to ask about renames that are not given, on an interactive terminal. */
  readonly asks: boolean
  readonly tsconfig: string | undefined
}

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
export function createFixSession(
  project: Project,
  context: CommandContext,
  { renames: values, allowDirty, asks, tsconfig }: FixChoice,
): FixSession {
  const { messages } = context.terminal
  let planned: FixSession['planned']
  return {
    get planned() {
      return planned
    },
    async plan(draft) {
      const given = readRenames(values, draft)
      const confirmed = asks ? await confirmGuesses(draft, given, context) : []
      const renames = [...given, ...confirmed]
      if (draft.changes.every(({ kind }) => kind === 'unchanged')) {
        planned = { files: [], skipped: [], renames }
        return []
      }
      messages.line(messages.dim('Checking which call sites can be fixed…'))
      const location = codeLocation(project, context, { tsconfig })
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
  { terminal: { interactive, messages } }: CommandContext,
): Promise<ConfirmedRename[]> {
  const guesses = guessRenames(draft, given)
  if (interactive === undefined || guesses.length === 0) return []
  const { askYesNo } = await import('../../ask.ts')
  const confirmed: ConfirmedRename[] = []
  for (const guess of guesses) {
    if (await askYesNo(questionOf(guess), interactive, { initialValue: false }))
      confirmed.push(guess)
  }
  messages.line()
  return confirmed
}

function questionOf(guess: ConfirmedRename): string {
  const [from, to] = [guess.from, guess.to].map((name) => sanitize(name))
  if (guess.kind === 'prompt') return `Is the prompt ${from} called ${to} now?`
  return `Is ${from} of ${sanitize(guess.slug)} called ${to} now?`
}
