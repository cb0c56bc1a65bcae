/** What a pull starts from. Absence is never knowledge: what nobody can read is lost, and not a first lock. */
import type { FaultyLock } from './canonical-lock.ts'
import { type Lock, type PartId, type PinnedPrompt, sortParts } from '../prompt.ts'

export type FormerLock = { readonly kind: 'none' } | WholeLock | DamagedLock

/** Every part is verified, after a merge if the text is in conflict. */
export interface WholeLock {
  readonly kind: 'whole'
  /** The lock; in a merge that of our side. */
  readonly before: Lock
  /** The parts of the lock; in a merge those that only one side changed, or neither. */
  readonly parts: readonly PinnedPrompt[]
  /** The parts that both sides of a merge changed. */
  readonly open: readonly PartConflict[]
  /** Why the text is no valid lock, if it had to be merged. */
  readonly fault: FaultyLock | undefined
}

export interface PartConflict extends PartId {
  /** The versions of the sides; one if the other side has no such part. */
  readonly sides: readonly PinnedPrompt[]
}

/** Anything else: a part was edited, an entry or a side can't be read, or nobody knows which one counts. */
export interface DamagedLock {
  readonly kind: 'damaged'
  /** The verified parts on disk. */
  readonly known: readonly PinnedPrompt[]
  readonly lost: readonly LostPart[]
  /** Whether that is all; after an early end without git, there may have been more. */
  readonly isComplete: boolean
  readonly fault: FaultyLock
}

export interface LostPart extends PartId {
  /** The line of its entry, counted from 1; `null` if the text has none. */
  readonly line: number | null
  /** Whether it can be read, but its hash does not fit: somebody edited it. */
  readonly isEdited: boolean
  /** Why it was held, if it was. */
  readonly held: string | null
  /** How git has it: in the index, or else in HEAD. */
  readonly former: PinnedPrompt | null
}

/** A lock that was not merged. */
export function wholeLock(lock: Lock): WholeLock {
  return { kind: 'whole', before: lock, parts: lock.parts, open: [], fault: undefined }
}

/** The lock before a pull, as far as anybody knows it: for what a person sees, and for what is left as it was. */
export function lockBefore(former: FormerLock): Lock {
  if (former.kind === 'none') return { parts: [] }
  if (former.kind === 'whole') return former.before
  return {
    parts: sortParts([...former.known, ...former.lost.flatMap((part) => part.former ?? [])]),
  }
}
