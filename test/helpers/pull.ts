import type { PromptChange } from '../../src/core/compare.ts'
import type { FormerLock } from '../../src/core/lock/former-lock.ts'
import type { NameCollision } from '../../src/core/names.ts'
import { findNewNotes, type PromptNotes } from '../../src/core/notes.ts'
import type { Lock } from '../../src/core/prompt.ts'
import type { Project } from '../../src/features/project/project.ts'
import { changesOf, collisionsOf } from '../../src/plan/plan.ts'
import type { PullReport, PullRequest } from '../../src/plan/pull.ts'

/** What a pull has read and written. */
export interface Pulled extends PullReport {
  readonly former: FormerLock
  readonly lock: Lock
  readonly changes: readonly PromptChange[]
  readonly notes: readonly PromptNotes[]
  readonly collisions: readonly NameCollision[]
  readonly outcome: 'written' | 'unchanged'
  /** The paths of what was written. */
  readonly written: readonly string[]
}

/** Prepares a pull and commits it, without a decision in between. */
export async function pull(project: Project, request: PullRequest = {}): Promise<Pulled> {
  const { plan, report } = await project.prepare(request)
  const written = await project.commit(plan, request.signal)
  const changes = changesOf(plan)
  return {
    ...report,
    former: plan.before,
    lock: plan.after,
    changes,
    notes: findNewNotes(changes),
    collisions: collisionsOf(plan, project.options.served.environment),
    outcome: written.includes(project.lock.path) ? 'written' : 'unchanged',
    written,
  }
}
