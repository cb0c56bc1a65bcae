/**
 * Puts a text that is no valid lock together from what can be read of it, and of git: first the entries of each slug,
 * of both sides of a merge; then each part, live or staging, by itself.
 */
import {
  type Environment,
  type Lock,
  type PartId,
  type PinnedPrompt,
  sortParts,
} from '../prompt.ts'
import { parseJsonString } from '../text/json-string.ts'
import { findDuplicates, groupBySlug, sortBySlug } from '../text/order.ts'
import { type FaultyLock, findTooNew, type LockFault } from './canonical-lock.ts'
import { blankMarkers, type ConflictSides, splitConflictSides } from './conflict.ts'
import type { LockPart } from './entry.ts'
import { findEntries, type FoundEntry } from './find-entries.ts'
import type { DamagedLock, LostPart, WholeLock } from './former-lock.ts'
import type { Digest } from './print-lock.ts'

/** What git has of a lock. */
export interface CommittedTexts {
  /** The sides of a merge that is not finished. */
  readonly sides?: ConflictSides | undefined
  /** The lock in the index, of our side in a merge, and the one in HEAD. */
  readonly earlier: readonly string[]
}

/**
 * @param fault - why the text is no lock
 * @returns a fault if a person has to decide between two holds, or if a side is of a newer version
 */
export function recoverLock(
  text: string,
  fault: FaultyLock,
  { sides, earlier }: CommittedTexts,
  digest: Digest,
): WholeLock | DamagedLock | FaultyLock {
  const newer = findTooNew(`${text}${sides?.ours}${sides?.theirs}`)
  if (newer !== undefined) return newer
  const formers = earlier.flatMap((former) => findEntries(former, digest).entries)
  const marked = splitConflictSides(text)
  const file = readSides(marked ?? sameSides(blankMarkers(text)), digest, formers)
  const committed = readCommitted(sides, digest)
  const found = findEntries(blankMarkers(text), digest).entries.filter(({ slug }) => slug !== '')
  const isComplete = file.isComplete && !file.texts.some((side) => isRenamed(side, formers))
  // Git knows what else there was.
  const others = isComplete || committed ? [] : formers
  // Where the sides share lines, the whole text has only one of their entries.
  const inSides = [file, committed]
    .flatMap((side) => side?.texts.flat() ?? [])
    .filter(({ slug }) => slug !== '')
  const outcomes = partsIn([...found, ...inSides, ...others]).map((id) => {
    const outcome = settle(partIn(file, id), committed && partIn(committed, id), isComplete)
    return { id, outcome }
  })
  const parts = outcomes.flatMap(({ outcome }) => (outcome.kind === 'taken' ? outcome.part : []))
  const isMerge = (committed ?? marked) !== undefined || fault.fault.code === 'LOCK_DUPLICATE'
  const isWhole = (committed ?? file).isWhole && outcomes.every(({ outcome }) => outcome !== LOST)
  if (isMerge && isWhole) {
    if (outcomes.some(({ outcome }) => outcome === HELD)) return losingHold(fault)
    const open = outcomes.flatMap(({ id, outcome }) =>
      outcome.kind === 'open' ? { ...id, sides: outcome.sides } : [],
    )
    return {
      kind: 'whole',
      before: oursOf(committed ?? file),
      parts: sortParts(parts),
      open,
      fault,
    }
  }
  const [inText, inGit] = [groupBySlug(found), groupBySlug(formers)]
  const lost = outcomes
    .filter(({ outcome }) => outcome.kind !== 'taken' && outcome.kind !== 'absent')
    .map(({ id }) => describeLost(id, inText.get(id.slug), inGit.get(id.slug)))
  return { kind: 'damaged', known: sortParts(parts), lost: sortBySlug(lost), fault }
}

interface Sides {
  readonly bySlug: ReadonlyMap<string, EntrySides>
  /** The entries of each side. */
  readonly texts: readonly (readonly FoundEntry[])[]
  readonly isWhole: boolean
  readonly isComplete: boolean
}

/** The parts of one slug in the entry of each side; `unreadable` if nobody knows which entry that is. */
type EntrySides = Readonly<Record<keyof ConflictSides, readonly LockPart[]>> | 'unreadable'

function sameSides(text: string): ConflictSides {
  return { ours: text, theirs: text, base: undefined }
}

/** @returns `undefined` without a merge, or if a side ends early */
function readCommitted(sides: ConflictSides | undefined, digest: Digest): Sides | undefined {
  const read = sides && readSides(sides, digest)
  return read?.isComplete ? read : undefined
}

/** The first step of a merge: the entries of each slug. */
function readSides(
  sides: ConflictSides,
  digest: Digest,
  formers: readonly FoundEntry[] = [],
): Sides {
  const ours = findEntries(sides.ours, digest)
  const theirs = sides.theirs === sides.ours ? ours : findEntries(sides.theirs, digest)
  const [left, right] = [groupBySlug(ours.entries), groupBySlug(theirs.entries)]
  const base = groupBySlug(findEntries(sides.base ?? '', digest).entries)
  const own = new Set(formers.map(({ parts }) => JSON.stringify(parts)))
  const slugs = [...new Set([...left.keys(), ...right.keys()])]
  return {
    bySlug: new Map(
      slugs.map((slug) => [
        slug,
        pairEntries(left.get(slug), right.get(slug), base.get(slug), own),
      ]),
    ),
    texts: [ours.entries, theirs.entries],
    isWhole: ours.isWhole && theirs.isWhole,
    isComplete: ours.isComplete && theirs.isComplete,
  }
}

/**
 * A slug that a side has twice, as git's merge leaves it when two branches pulled a rename, is in conflict, too.
 *
 * @param own - the entries of our branch, of which one is ours, wherever it stands
 */
function pairEntries(
  ours: readonly FoundEntry[] = [],
  theirs: readonly FoundEntry[] = [],
  base: readonly FoundEntry[] = [],
  own: ReadonlySet<string> = new Set(),
): EntrySides {
  const all = [...ours, ...theirs]
  if (all.some(({ parts }) => parts === undefined)) return 'unreadable'
  const partsOf = (entry: FoundEntry | undefined): readonly LockPart[] => entry?.parts ?? []
  if (ours.length < 2 && theirs.length < 2)
    return { ours: partsOf(ours[0]), theirs: partsOf(theirs[0]), base: partsOf(base[0]) }
  const different = new Map(all.map((entry) => [JSON.stringify(entry.parts), entry]))
  if (ours.length > 2 || theirs.length > 2 || different.size > 2) return 'unreadable'
  const isOther = (parts: string): number => (own.has(parts) ? 0 : 1)
  const keys = [...different.keys()].toSorted((a, b) => isOther(a) - isOther(b))
  const [one, other = one] = keys.map((key) => different.get(key))
  return { ours: partsOf(one), theirs: partsOf(other), base: [] }
}

/** One part in each side; `undefined` where it is missing. */
type PartSides = Readonly<Record<keyof ConflictSides, LockPart | undefined>>

function partIn({ bySlug }: Sides, { slug, environment }: PartId): PartSides | 'unreadable' {
  const entry = bySlug.get(slug) ?? { ours: [], theirs: [], base: [] }
  if (entry === 'unreadable') return entry
  const find = (parts: readonly LockPart[]): LockPart | undefined =>
    parts.find(({ prompt }) => prompt.environment === environment)
  return { ours: find(entry.ours), theirs: find(entry.theirs), base: find(entry.base) }
}

type Outcome =
  | { readonly kind: 'taken'; readonly part: PinnedPrompt }
  | { readonly kind: 'open'; readonly sides: readonly PinnedPrompt[] }
  | { readonly kind: 'absent' | 'held' | 'lost' }

const ABSENT: Outcome = { kind: 'absent' }
/** Two holds: a person has to say which one is meant. */
const HELD: Outcome = { kind: 'held' }
const LOST: Outcome = { kind: 'lost' }

/** The second step of a merge: what becomes of one part. */
function settle(
  file: PartSides | 'unreadable',
  committed: PartSides | 'unreadable' | undefined,
  isComplete: boolean,
): Outcome {
  const isRead = file !== 'unreadable' && (isComplete || file.ours !== undefined)
  // In conflict nowhere, or resolved by hand.
  if (isRead && isSame(file.ours, file.theirs)) return take(file.ours)
  if (committed === undefined) return isRead ? mergePart(file) : LOST
  if (committed === 'unreadable') return LOST
  const { ours, theirs, base } = committed
  // Git mixes the lines of both sides only if both changed the part.
  const isEdited =
    file !== 'unreadable' && file.ours !== undefined && isAlike(file.ours, file.theirs)
  const isOneSided = isSame(ours, theirs) || isSame(ours, base) || isSame(theirs, base)
  return isEdited && isOneSided ? LOST : mergePart(committed)
}

function mergePart({ ours, theirs, base }: PartSides): Outcome {
  if (isSame(ours, theirs)) return take(ours)
  if (isSame(ours, base)) return take(theirs)
  if (isSame(theirs, base)) return take(ours)
  const sides = [ours, theirs].filter((side) => side !== undefined)
  if (sides.some(({ isIntact }) => !isIntact)) return LOST
  const held = sides.filter(({ prompt }) => prompt.held !== undefined)
  if (held.length === 2) return HELD
  if (held.length === 1) return take(held[0])
  return { kind: 'open', sides: sides.map(({ prompt }) => prompt) }
}

function take(side: LockPart | undefined): Outcome {
  if (side === undefined) return ABSENT
  return side.isIntact ? { kind: 'taken', part: side.prompt } : LOST
}

/** Intact parts with equal hashes are the same; so are two missing parts. */
function isSame(one: LockPart | undefined, other: LockPart | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.isIntact && other.isIntact && one.integrity === other.integrity
}

function isAlike(one: LockPart, other: LockPart | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The parts that entries have. One that can't be read counts, unless its entry shows that it is not there. */
function partsIn(entries: readonly FoundEntry[]): PartId[] {
  const isIn = ({ parts, text }: FoundEntry, environment: Environment): boolean => {
    if (parts !== undefined) return parts.some(({ prompt }) => prompt.environment === environment)
    if (environment === 'live') return !/"live"\s*:\s*null/.test(text)
    // It stands before the live part.
    return /"staging"\s*:/.test(text) || !/"live"\s*:/.test(text)
  }
  return [...groupBySlug(entries)].flatMap(([slug, ofSlug]) =>
    (['live', 'test'] as const).flatMap((environment) =>
      ofSlug.some((entry) => isIn(entry, environment)) ? { slug, environment } : [],
    ),
  )
}

/** Whether an entry that is not as it was may have had another slug: git does not know it, or another one has it. */
function isRenamed(entries: readonly FoundEntry[], formers: readonly FoundEntry[]): boolean {
  const slugs = new Set(formers.map(({ slug }) => slug))
  for (const slug of findDuplicates(entries.map((entry) => entry.slug))) slugs.delete(slug)
  return entries.some(
    ({ slug, parts }) => !slugs.has(slug) && !parts?.every(({ isIntact }) => isIntact),
  )
}

function oursOf({ bySlug }: Sides): Lock {
  const parts = [...bySlug.values()].flatMap((entry) => (entry === 'unreadable' ? [] : entry.ours))
  return { parts: sortParts(parts.flatMap(({ prompt, isIntact }) => (isIntact ? prompt : []))) }
}

function losingHold(faulty: FaultyLock): FaultyLock {
  const { fault } = faulty
  const details = { ...fault.details, losesHold: true }
  return { ...faulty, fault: { ...fault, details } as LockFault }
}

/**
 * @param entries - of its slug, in the text
 * @param formers - those of git, the first ones first
 */
function describeLost(
  { slug, environment }: PartId,
  entries: readonly FoundEntry[] = [],
  formers: readonly FoundEntry[] = [],
): LostPart {
  const ofPart = (list: readonly FoundEntry[]): LockPart[] =>
    list
      .flatMap(({ parts = [] }) => parts)
      .filter(({ prompt }) => prompt.environment === environment)
  const parts = ofPart(entries)
  const former = ofPart(formers).find(({ isIntact }) => isIntact)?.prompt ?? null
  const holds = [
    ...parts.map(({ prompt }) => prompt.held?.reason),
    ...entries.map(({ parts: read, text }) => (read === undefined ? reasonIn(text) : undefined)),
    ...(parts.length === 0 ? [former?.held?.reason] : []),
  ]
  return {
    slug,
    environment,
    line: entries[0]?.line ?? null,
    isEdited: parts.some(({ isIntact }) => !isIntact),
    held: holds.find((reason) => reason !== undefined) ?? null,
    former,
  }
}

function reasonIn(text: string): string | undefined {
  const reason = /"held"\s*:\s*\{\s*"reason"\s*:\s*("(?:[^"\\\n]|\\.){0,1000}")/.exec(text)?.[1]
  return reason && parseJsonString(reason)
}
