import { comparePrompts, type PromptChange, isChanged } from '../../../core/compare.ts'
import { heldPrompts } from '../../../core/drift.ts'
import type { Lock } from '../../../core/prompt.ts'
import {
  readFormerPrompt,
  restorePrompt,
  type RestoreRequest,
} from '../../../features/restore/restore.ts'
import type { ImpactFinding } from '../../../features/usage/impact.ts'
import type { ProjectContext } from '../../project-command.ts'
import { type Approval, confirmWrite, showImpact } from '../../output/approval.ts'
import { printHeldSection } from '../../output/held-view.ts'

/** What the user wants. */
export interface RestoreChoice extends RestoreRequest {
  readonly reason: string | undefined
  readonly tsconfig: string | undefined
  /** Whether to ask before the lock is written. */
  readonly asks: boolean
}

/** A lock with a restored prompt, and whether it may be written. */
export interface RestoreReview extends Approval {
  readonly lock: Lock
  readonly changes: readonly PromptChange[]
  /** `null` if the app could not be analysed. */
  readonly findings: readonly ImpactFinding[] | null
}

/**
 * Shows what a restored prompt changes and what that breaks in the app, and asks.
 *
 * @throws PromptsError what {@link readFormerPrompt} throws
 */
export async function reviewRestore(
  context: ProjectContext,
  before: Lock,
  choice: RestoreChoice,
): Promise<RestoreReview> {
  const { project, terminal } = context
  const { slug, revision, reason = `restored from ${revision}`, tsconfig } = choice
  const former = await readFormerPrompt(project.lock, before, choice)
  const lock = restorePrompt(before, former, reason)
  const changes = comparePrompts(before.prompts, lock.prompts)
  const changed = changes.filter(isChanged)
  const isHeld = before.prompts.some(
    (prompt) => prompt.slug === slug && prompt.held?.reason === reason,
  )
  if (changed.length === 0 && isHeld) return { approved: true, lock, changes, findings: [] }
  const { printDiff } = await import('../diff/diff-view.ts')
  printDiff(changed, terminal.stdout)
  printHeldSection(
    heldPrompts(lock).filter((prompt) => prompt.slug === slug),
    terminal.stdout,
  )
  const findings = await showImpact(context, { before, lock, changes, tsconfig })
  const approval = choice.asks ? await confirmWrite(context, findings) : { approved: true }
  return { ...approval, lock, changes, findings }
}
