import type { ComparedRow } from '../../core/change-row.ts'
import { compareLocks, isNeedless, type PromptChange, revertChanges } from '../../core/compare.ts'
import type { HeldPrompt } from '../../core/drift.ts'
import { type NameCollision, planNames } from '../../core/names.ts'
import type { KeptPart } from '../../core/next-lock.ts'
import { findNewNotes, type PromptNotes } from '../../core/notes.ts'
import { type Lock, pairParts, type PartId } from '../../core/prompt.ts'
import type { PromptsError } from '../../errors/prompts-error.ts'

/** A new lock that is not written yet. */
export interface Draft {
  /** Hash of the lock file that the draft was made from; `undefined` if there was none. */
  readonly base: string | undefined
  readonly before: Lock
  readonly lock: Lock
  /** The parts that differ: live parts, then staging parts, each by code point of the slug. */
  readonly changes: readonly PromptChange[]
}

/** What a pull would write, and what it has read. */
export interface PullDraft extends Draft {
  /** They are not in `changes`. */
  readonly skipped: readonly ComparedRow[]
  /** The held parts, which were not read, and their pending updates. */
  readonly held: readonly HeldPrompt[]
  /** The parts that stay although the list has another version. */
  readonly kept: readonly KeptPart[]
  readonly previousLockError: PromptsError | undefined
  /** The parts that both sides of a merge conflict changed; `undefined` without a conflict. */
  readonly merged: readonly PartId[] | undefined
  /** Notes of prompts with new or changed text. */
  readonly notes: readonly PromptNotes[]
  readonly collisions: readonly NameCollision[]
  readonly planStatus: string
  /** Single reads, which services often meter. */
  readonly reads: number
  readonly lists: number
}

/** The changes between two locks, and what to tell a person about them. */
export function describeLocks(
  before: Lock,
  lock: Lock,
): Pick<PullDraft, 'changes' | 'notes' | 'collisions'> {
  const changes = compareLocks(before, lock)
  const { collisions } = planNames([...new Set(lock.parts.map(({ slug }) => slug))])
  return { changes, notes: findNewNotes(changes), collisions }
}

/** A draft without some of its changes: these parts stay as they are pinned. */
export function skipChanges(draft: PullDraft, more: readonly ComparedRow[]): PullDraft {
  if (more.length === 0) return draft
  const reverted = revertChanges(
    draft.lock,
    more.map(({ change }) => change),
  )
  const pairs = pairParts(reverted)
  const needless = new Set(
    pairs.flatMap(({ prompt, staging }) => (staging && isNeedless(staging, prompt) ? staging : [])),
  )
  const lock = { ...reverted, parts: reverted.parts.filter((part) => !needless.has(part)) }
  const skipped = [...draft.skipped, ...more]
  const kept = [...draft.kept, ...more.flatMap(({ change }) => publishedPart(change))]
  return { ...draft, lock, skipped, kept, ...describeLocks(draft.before, lock) }
}

/** The staging part that stays because its publication is left. */
function publishedPart({ kind, staging }: PromptChange): KeptPart[] {
  if (kind !== 'updated' || staging === undefined) return []
  const { slug, environment, version } = staging
  return [{ slug, environment, version, listed: null, reason: 'published' }]
}
