/**
 * Merges the sides of a conflicted lock by part: the live and the staging part of a prompt are merged each by
 * itself. Git has the sides as they were committed; in the file, parts may be resolved by hand already.
 */
import { type PartId, partKey, type PinnedPrompt, sortParts } from '../prompt.ts'
import { type ConflictSides, splitConflictSides } from './conflict.ts'
import type { LockPart } from './entry.ts'
import { parseSide } from './parse-lock.ts'
import type { Digest } from './print-lock.ts'

/** The usable part of a lock with conflict markers or edited parts. */
export interface RecoveredLock {
  /** The intact parts of our side. */
  readonly ours: readonly PinnedPrompt[]
  /** The parts that only one side changed, or neither. */
  readonly merged: readonly PinnedPrompt[]
  /** All other parts: both sides changed them, or their hash is wrong. */
  readonly conflicts: readonly PartConflict[]
}

export interface PartConflict extends PartId {
  /** The intact versions of the sides. */
  readonly sides: readonly PinnedPrompt[]
}

/**
 * Merges the two sides of a lock with conflict markers. A lock without markers is the same on both sides, except for
 * slugs that it has twice: git can leave one entry of each side without a conflict.
 *
 * @param committed - the sides as they were committed, if git has them
 * @returns `unreadable` if a side is no lock; `held` if a hold would be lost
 */
export function recoverLock(
  text: string,
  digest: Digest,
  committed?: ConflictSides,
): RecoveredLock | 'unreadable' | 'held' {
  const marked = splitConflictSides(text)
  const sides = committed ?? marked
  const ours = readSide(sides?.ours, digest)
  const theirs = readSide(sides?.theirs, digest, 'last')
  if (sides === undefined || ours === undefined || theirs === undefined)
    return /"held"\s*:/.test(`${text}${sides?.ours}${sides?.theirs}`) ? 'held' : 'unreadable'
  // Without a common ancestor, each part counts as new on both sides.
  const base = readSide(sides.base, digest, 'none')
  const left = readSide(marked?.ours, digest)
  const right = readSide(marked?.theirs, digest, 'last')
  const merged: PinnedPrompt[] = []
  const conflicts: PartConflict[] = []
  for (const [key, { prompt }] of new Map([...ours, ...theirs])) {
    const [one, other] = [ours.get(key), theirs.get(key)]
    const result =
      left && right && isSame(left.get(key), right.get(key))
        ? // Resolved by hand: both sides of the conflicted text have it alike.
          take(left.get(key))
        : mergePart(one, other, base?.get(key))
    if (result !== 'conflict') {
      if (result !== 'none') merged.push(result)
      continue
    }
    if (one?.prompt.held || other?.prompt.held) return 'held'
    const { slug, environment } = prompt
    const intact = [one, other].flatMap((side) => (side?.isIntact ? [side.prompt] : []))
    conflicts.push({ slug, environment, sides: intact })
  }
  return {
    ours: [...ours.values()].filter(({ isIntact }) => isIntact).map(({ prompt }) => prompt),
    merged: sortParts(merged),
    conflicts,
  }
}

/** The parts of a side, by {@link partKey}. */
type Side = ReadonlyMap<string, LockPart>

type Merged = PinnedPrompt | 'none' | 'conflict'

/** Merges one part; `undefined` is a missing part. */
function mergePart(
  ours: LockPart | undefined,
  theirs: LockPart | undefined,
  base: LockPart | undefined,
): Merged {
  if (isSame(ours, theirs)) return take(ours)
  if (isSame(ours, base)) return take(theirs)
  if (isSame(theirs, base)) return take(ours)
  // A person has to say which hold is meant.
  if (ours?.prompt.held && theirs?.prompt.held) return 'conflict'
  if (ours?.prompt.held) return take(ours)
  if (theirs?.prompt.held) return take(theirs)
  return 'conflict'
}

function take(side: LockPart | undefined): Merged {
  if (side === undefined) return 'none'
  return side.isIntact ? side.prompt : 'conflict'
}

/** Intact parts with equal hashes are the same; so are two missing parts. */
function isSame(one: LockPart | undefined, other: LockPart | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.isIntact && one.integrity === other.integrity
}

/**
 * @param repeated - which part counts, if there are two. Default: the first
 * @returns `undefined` if the text is no lock
 */
function readSide(
  text: string | undefined,
  digest: Digest,
  repeated?: 'last' | 'none',
): Side | undefined {
  const side = parseSide(text ?? '', digest)
  if (side === undefined) return undefined
  const parts = new Map<string, LockPart>()
  for (const part of side) {
    const key = partKey(part.prompt)
    if (!parts.has(key) || repeated === 'last') parts.set(key, part)
    else if (repeated === 'none') parts.delete(key)
  }
  return parts
}
