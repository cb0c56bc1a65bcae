import { contractChanges } from '../core/classify-change.ts'
import { PromptsError } from '../errors.ts'
import type { Project } from '../project.ts'
import type { PullDraft } from '../pull.ts'
import type { Surroundings } from './command.ts'
import { codeLocation, impactOfChanges, printImpact } from './impact-view.ts'
import type { Terminal } from './terminal.ts'

/** What decides whether a pull that breaks the app is written. */
export interface PullConsent {
  /** Write it without asking. */
  readonly yes: boolean
  /** Do not write it. */
  readonly strict: boolean
  /** Nothing is written anyway. */
  readonly dryRun: boolean
  readonly tsconfig: string | undefined
}

/**
 * Makes the question that a pull puts before it writes: shows what in the app would stop working;
 * asks where there is a person, stops under `--strict`, and else goes on and says so. The app is
 * only looked at where a contract changes, since that costs a type-check of it.
 */
export function consentTo(
  project: Project,
  surroundings: Surroundings,
  consent: PullConsent,
): (draft: PullDraft) => Promise<boolean> {
  return async (draft) => {
    if (contractChanges(draft.changes).length === 0) return true
    const location = codeLocation(project, surroundings, consent)
    const impact = await impactOfChanges(draft.before, draft.changes, location).catch(
      (error: unknown) => unknownImpact(error, surroundings.terminal, consent),
    )
    if (impact === undefined || impact.findings.length === 0) return true
    printImpact(impact, surroundings.terminal.words)
    return decide(surroundings.terminal, consent)
  }
}

/** A tsconfig that can't be used must not keep a pull from mending what there is. */
function unknownImpact(error: unknown, { words }: Terminal, { strict }: PullConsent): undefined {
  if (strict || !(error instanceof PromptsError)) throw error
  words.line(`${words.style('yellow', '▲')} What breaks can't be told. ${error.why}`)
}

async function decide(terminal: Terminal, { yes, strict, dryRun }: PullConsent): Promise<boolean> {
  const { words, dialogue } = terminal
  if (strict) return false
  if (yes || dryRun) return true
  if (dialogue !== undefined) {
    const { askYesNo } = await import('./ask.ts')
    return askYesNo('Write the lock all the same?', dialogue)
  }
  words.line('The lock is written all the same; --strict would stop here.')
  return true
}
