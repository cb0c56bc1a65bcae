import { applyChanges, comparePrompts, type PromptChange } from '../../core/compare.ts'
import { type HeldPrompt, heldPrompts } from '../../core/drift.ts'
import { lintChanges, type PromptLints } from '../../core/lint.ts'
import { type NameCollision, planNames } from '../../core/names.ts'
import type { Lock, PinnedPrompt } from '../../core/prompt.ts'
import type { PromptsError } from '../../errors/prompts-error.ts'
import type { WriteResult } from '../../fs/files.ts'
import type { WorkspaceSnapshot } from '../../service/read-workspace.ts'
import type { PreviousLock } from './previous-lock.ts'
import { type SkippedChange, sortSkipped } from './skipped-change.ts'

/** The report of a pull. */
export interface PullReport {
  readonly lock: Lock
  readonly outcome: WriteResult | 'dry-run' | 'declined'
  /** One per prompt of the old or the new lock, sorted by code point of the slug. */
  readonly changes: readonly PromptChange[]
  /** By code point of the slug; their prompts are unchanged in `changes`. */
  readonly skipped: readonly SkippedChange[]
  /** The held prompts of the new lock, which were not read, and their pending updates. */
  readonly held: readonly HeldPrompt[]
  /** Why the old lock was invalid. */
  readonly previousLockError: PromptsError | undefined
  /** The slugs that both sides of a merge conflict changed. These were read from the service. */
  readonly merged: readonly string[] | undefined
  /** Lints of prompts with new or changed text. */
  readonly lints: readonly PromptLints[]
  readonly collisions: readonly NameCollision[]
  readonly planStatus: string
  /** Single reads, which services often meter. */
  readonly reads: number
  readonly lists: number
}

/** The report of a pull before the lock is written. */
export interface PullDraft extends Omit<PullReport, 'outcome'> {
  readonly before: Lock
  /** Whether changes can be skipped: the entries of the old lock have the same environment. */
  readonly canSkip: boolean
}

/** Whether entries of the old lock can stay in the new one. */
export function canSkip({ prompts, reusable }: PreviousLock): boolean {
  return prompts.length === 0 || reusable
}

/** What a pull has read. */
export interface FoundPrompts {
  readonly old: PreviousLock
  readonly workspace: WorkspaceSnapshot
  readonly environment: Lock['environment']
}

/** Compares what a pull has read with the old lock. */
export function draftOf(
  prompts: readonly PinnedPrompt[],
  skipped: readonly SkippedChange[],
  { old, workspace, environment }: FoundPrompts,
): PullDraft {
  const lock = { environment, prompts }
  const changes = comparePrompts(old.prompts, prompts)
  return {
    before: { environment, prompts: old.prompts },
    canSkip: canSkip(old),
    lock,
    changes,
    skipped,
    held: heldPrompts(lock, { entries: workspace.listed, environment }),
    previousLockError: old.error,
    merged: old.isMerged ? [...(old.slugs ?? [])] : undefined,
    lints: lintChanges(changes),
    collisions: planNames(prompts.map(({ slug }) => slug)).collisions,
    planStatus: workspace.planStatus,
    reads: workspace.reads,
    lists: workspace.lists,
  }
}

/** A draft without some of its changes. */
export function skipChanges(
  draft: PullDraft,
  skipped: readonly SkippedChange[],
  found: FoundPrompts,
): PullDraft {
  if (skipped.length === 0) return draft
  const slugs = new Set(skipped.map(({ change }) => change.slug))
  const taken = draft.changes.filter(({ slug }) => !slugs.has(slug))
  const all = sortSkipped([...draft.skipped, ...skipped])
  return draftOf(applyChanges(draft.before.prompts, taken), all, found)
}
