import { containsSecret, redact } from '../../core/secrets.ts'
import type { ComparedRow } from '../../core/change-row.ts'
import { compareLocks, leaveChanges, type PromptChange } from '../../core/compare.ts'
import type { HeldPrompt } from '../../core/drift.ts'
import { type NameCollision, planNames } from '../../core/names.ts'
import type { FormerLock } from '../../core/lock/former-lock.ts'
import type { KeptPart } from '../../core/next-lock.ts'
import { findNewNotes, type PromptNotes } from '../../core/notes.ts'
import {
  describePart,
  indexParts,
  type Lock,
  type PartId,
  partKey,
  type PinnedPrompt,
  promptTexts,
} from '../../core/prompt.ts'
import { findTokens } from '../../core/template.ts'
import { formatCount } from '../../core/text/pluralize.ts'
import { PromptsError } from '../../errors/prompts-error.ts'

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
  /** What the pull started from. */
  readonly former: FormerLock
  /** Notes of prompts with new or changed text. */
  readonly notes: readonly PromptNotes[]
  readonly collisions: readonly NameCollision[]
  /** Whether every live part of the service was read, or is held. */
  readonly isLiveRead: boolean
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
  const { before } = draft
  assertFormer(draft.former, more)
  const left = more.map(({ change }) => change)
  const lock = leaveChanges(before, draft.lock, left)
  const skipped = [...draft.skipped, ...more]
  return { ...draft, lock, skipped, ...describeLocks(before, lock) }
}

/** What is lost, and in no commit either, can't be left as it was. */
function assertFormer(former: FormerLock, left: readonly PartId[]): void {
  if (former.kind !== 'damaged') return
  const leaving = indexParts(left)
  const gone = former.lost.filter((part) => part.former === null && leaving.has(partKey(part)))
  const parts = gone.map((part) => `${describePart(part)}: no commit has it`)
  if (parts.length > 0) throw new PromptsError('PART_LOST', { parts })
}

/** Maximum number of tokens in one prompt. Up to it pulls, builds and type checks are fast. */
const TOKEN_LIMIT = 20_000

/**
 * Checks that prompts may be pinned, and reports the problems of all prompts together.
 *
 * @param secrets - what no prompt may contain
 */
export function assertPinnable(prompts: readonly PinnedPrompt[], secrets: readonly string[]): void {
  const unpaired = textsWith(prompts, (text) => /\p{Surrogate}/u.test(text))
  if (unpaired.length > 0) throw new PromptsError('TEXT_UNPAIRED_SURROGATE', { problems: unpaired })
  const leaking = textsWith(prompts, (text) => containsSecret(text, secrets))
  // A slug may hold it too.
  const problems = leaking.map((problem) => redact(problem, secrets))
  if (problems.length > 0) throw new PromptsError('TEXT_HOLDS_KEY', { problems })
  const huge = prompts.flatMap((prompt) => {
    const count = tokenCount(prompt)
    return count > TOKEN_LIMIT ? [`${describePart(prompt)}: ${formatCount(count)}`] : []
  })
  if (huge.length > 0)
    throw new PromptsError('TOO_MANY_TOKENS', { problems: huge, limit: TOKEN_LIMIT })
}

/** The texts that match a test, as `slug: field`. */
function textsWith(prompts: readonly PinnedPrompt[], test: (text: string) => boolean): string[] {
  return prompts.flatMap((prompt) =>
    Object.entries({ ...prompt, held: prompt.held?.reason }).flatMap(([field, value]) =>
      typeof value === 'string' && test(value) ? [`${describePart(prompt)}: ${field}`] : [],
    ),
  )
}

function tokenCount(prompt: PinnedPrompt): number {
  return promptTexts(prompt).flatMap(({ text }) => [...findTokens(text)]).length
}
