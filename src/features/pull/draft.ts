import type { ComparedRow } from '../../core/change-row.ts'
import { applyChanges, comparePrompts, type PromptChange } from '../../core/compare.ts'
import type { HeldPrompt, StagedPrompt } from '../../core/drift.ts'
import { findNewNotes, type PromptNotes } from '../../core/notes.ts'
import { type NameCollision, planNames } from '../../core/names.ts'
import type { Lock } from '../../core/prompt.ts'
import type { PromptsError } from '../../errors/prompts-error.ts'

/** A new lock that is not written yet. */
export interface Draft {
  /** Hash of the lock file that the draft was made from; `undefined` if there was none. */
  readonly base: string | undefined
  readonly before: Lock
  readonly lock: Lock
  /** The prompts that differ, sorted by code point of the slug. */
  readonly changes: readonly PromptChange[]
}

/** What a pull would write, and what it has read. */
export interface PullDraft extends Draft {
  /** They are not in `changes`. */
  readonly skipped: readonly ComparedRow[]
  /** Whether changes can be skipped: the entries of the old lock have the same environment. */
  readonly canSkip: boolean
  /** The held prompts, which were not read, and their pending updates. */
  readonly held: readonly HeldPrompt[]
  /** The prompts with a staging version, for a live lock. */
  readonly staged: readonly StagedPrompt[]
  /** For a test lock that is pulled after a live lock: that lock. */
  readonly live?: Lock | undefined
  /** Why the old lock was invalid. */
  readonly previousLockError: PromptsError | undefined
  /** The slugs that both sides of a merge conflict changed. These were read from the service. */
  readonly merged: readonly string[] | undefined
  /** Notes of prompts with new or changed text. */
  readonly notes: readonly PromptNotes[]
  readonly collisions: readonly NameCollision[]
  readonly planStatus: string
  /** Single reads, which services often meter. */
  readonly reads: number
  readonly lists: number
}

/** The changes between two locks, and what to tell a person about them. */
export function compareLocks(
  before: Lock,
  lock: Lock,
): Pick<PullDraft, 'changes' | 'notes' | 'collisions'> {
  const changes = comparePrompts(before.prompts, lock.prompts)
  const { collisions } = planNames(lock.prompts.map(({ slug }) => slug))
  return { changes, notes: findNewNotes(changes), collisions }
}

/** A draft without some of its changes: these prompts stay as they are pinned. */
export function skipChanges(draft: PullDraft, more: readonly ComparedRow[]): PullDraft {
  if (more.length === 0) return draft
  const undone = more.map(({ change }) => ({ slug: change.slug, after: change.before }))
  const lock = { ...draft.lock, prompts: applyChanges(draft.lock.prompts, undone) }
  const skipped = [...draft.skipped, ...more]
  return { ...draft, lock, skipped, ...compareLocks(draft.before, lock) }
}
