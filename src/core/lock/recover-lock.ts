/**
 * Puts a text that is no valid lock together from what can be read of it, and of git: first the entries of each slug,
 * of both sides of a merge; then each part, live or staging, by itself.
 */
import { type Environment, type PartId, type PinnedPrompt, sortParts } from '../prompt.ts'
import { parseJsonString } from '../text/json-string.ts'
import { sortBySlug } from '../text/order.ts'
import { type FaultyLock, findTooNew, type LockFault } from './canonical-lock.ts'
import { type ConflictSides, removeMarkers, splitConflictSides } from './conflict.ts'
import type { LockPart } from './entry.ts'
import { findEntries, type FoundEntries, type FoundEntry } from './find-entries.ts'
import type { DamagedLock, LostPart, WholeLock } from './former-lock.ts'
import { tokensOf } from './json-difference.ts'
import { locateParts } from './lock-lines.ts'
import type { Digest } from './print-lock.ts'

/** What git has of a lock. */
export interface CommittedTexts {
  /** The sides of a merge that is not finished. */
  readonly sides?: ConflictSides | undefined
  /** What git left of them on disk. Older versions of git keep no copy of it. */
  readonly left?: string | undefined
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
  { sides, left: leftText, earlier }: CommittedTexts,
  digest: Digest,
): WholeLock | DamagedLock | FaultyLock {
  const newer = findTooNew(`${text}${sides?.ours}${sides?.theirs}`)
  if (newer !== undefined) return newer
  const formers = earlier.map((former) => findEntries(former, digest))
  const { all, ...file } = readConflict(text, digest)
  const left = leftText === undefined ? undefined : readConflict(leftText, digest)
  const isComplete = areBoth(file, (side) => side.isComplete && !hidesOthers(side, all, formers))
  const index = sides && readSides(sides, digest)
  const committed = index && areBoth(index, (side) => side.isComplete) ? index : undefined
  // Git knows what else there was.
  const others = committed ? [committed.ours, committed.theirs] : isComplete ? [] : formers
  const ids = partsIn([all, file.ours, file.theirs, ...others])
  const outcomes = ids.map((id) => {
    const inIndex = committed && partIn(committed, id, formers)
    const inFile = partIn(file, id, formers)
    const isLeft = left && isAlike(inFile, partIn(left, id, formers))
    return { ...id, ...settle(inFile, inIndex, isComplete, isLeft) }
  })
  const parts = sortParts(outcomes.flatMap((one) => (one.kind === 'taken' && one.part) || []))
  const isMerge =
    committed !== undefined || file.ours !== file.theirs || fault.fault.code === 'LOCK_DUPLICATE'
  const isWhole = areBoth(committed ?? file, (side) => side.isWhole)
  if (isMerge && isWhole && outcomes.every(({ kind }) => kind !== 'lost')) {
    if (outcomes.some(({ kind }) => kind === 'held')) return losingHold(fault)
    const ours = ids.flatMap((id) => oursOf(partIn(committed ?? file, id, formers)))
    const open = outcomes.filter((one) => one.kind === 'open')
    return { kind: 'whole', before: { parts: sortParts(ours) }, parts, open, fault }
  }
  const lineOf = locateParts(text)
  const lost = outcomes
    .filter(({ kind }) => kind !== 'taken')
    .map((id) => ({ ...describeLost(id, all, file, formers), line: lineOf(id) ?? null }))
  const isAll = committed !== undefined || isComplete
  return { kind: 'damaged', known: parts, lost: sortBySlug(lost), isComplete: isAll, fault }
}

/** The entries of each side of a merge. A text without sides is the same in all. */
type Sides = Readonly<Record<keyof ConflictSides, FoundEntries>>

/** The sides of a text with conflict markers, and all that is in it. */
function readConflict(text: string, digest: Digest): Sides & { readonly all: FoundEntries } {
  const all = findEntries(removeMarkers(text), digest)
  const marked = splitConflictSides(text)
  return { all, ...(marked ? readSides(marked, digest) : { ours: all, theirs: all, base: all }) }
}

function readSides({ ours, theirs, base = '' }: ConflictSides, digest: Digest): Sides {
  const read = (text: string): FoundEntries => findEntries(text, digest)
  return { ours: read(ours), theirs: read(theirs), base: read(base) }
}

function areBoth({ ours, theirs }: Sides, test: (side: FoundEntries) => boolean): boolean {
  return test(ours) && test(theirs)
}

/**
 * Whether an entry that is not as it was may have been another one, too: it may have had another slug, if git does not
 * know its slug or another entry has it; or a cut took the lines between two entries, if git has one that is gone.
 */
function hidesOthers(
  { bySlug }: FoundEntries,
  all: FoundEntries,
  formers: readonly FoundEntries[],
): boolean {
  const known = new Set(formers.flatMap((former) => [...former.bySlug.keys()]))
  const isOneGone = [...known].some((slug) => !all.bySlug.has(slug))
  return [...bySlug].some(([slug, entries]) => {
    const isKnown = entries.length === 1 && known.has(slug)
    const isIntact = entries.every(({ parts }) => parts?.every((part) => part.isIntact))
    return !isIntact && (isOneGone || !isKnown)
  })
}

function entriesIn(slug: string, ...texts: readonly FoundEntries[]): FoundEntry[] {
  return texts.flatMap(({ bySlug }) => bySlug.get(slug) ?? [])
}

/** The parts that entries have. One counts, unless the text of its entry shows that it is not there. */
function partsIn(texts: readonly FoundEntries[]): PartId[] {
  const isIn = ({ text }: FoundEntry, environment: Environment): boolean => {
    if (environment === 'live') return !/"live"\s*:\s*null/.test(text)
    // It stands before the live part.
    return /"staging"\s*:/.test(text) || !/"live"\s*:/.test(text)
  }
  const slugs = new Set(texts.flatMap(({ bySlug }) => [...bySlug.keys()]))
  return [...slugs].flatMap((slug) => {
    const entries = entriesIn(slug, ...texts)
    return (['live', 'test'] as const).flatMap((environment) =>
      entries.some((entry) => isIn(entry, environment)) ? { slug, environment } : [],
    )
  })
}

/** One part in each side; `unreadable` if nobody knows which entry of its slug has it. */
type PartSides = ReadableSides | 'unreadable'
type ReadableSides = Readonly<Record<keyof ConflictSides, LockPart | undefined>>

/**
 * The first step of a merge. A slug that a side has twice, as git's merge leaves it when two branches pulled a
 * rename, is in conflict, too: the entry that our branch had is ours, wherever it stands.
 */
function partIn(
  { ours, theirs, base }: Sides,
  { slug, environment }: PartId,
  formers: readonly FoundEntries[],
): PartSides {
  const entries = entriesIn(slug, ours, theirs)
  if (entries.some(({ parts }) => parts === undefined)) return 'unreadable'
  const find = (entry: FoundEntry | undefined): LockPart | undefined =>
    entry?.parts?.find(({ prompt }) => prompt.environment === environment)
  const [left, right] = [entriesIn(slug, ours), entriesIn(slug, theirs)]
  if (left.length < 2 && right.length < 2)
    return { ours: find(left[0]), theirs: find(right[0]), base: find(entriesIn(slug, base)[0]) }
  const print = ({ parts }: FoundEntry): string => JSON.stringify(parts)
  const different = new Map(entries.map((entry) => [print(entry), entry]))
  if (left.length > 2 || right.length > 2 || different.size > 2) return 'unreadable'
  const own = new Set(entriesIn(slug, ...formers).map(print))
  const rank = (entry: FoundEntry): number => (own.has(print(entry)) ? 0 : 1)
  const [one, other = one] = [...different.values()].toSorted((a, b) => rank(a) - rank(b))
  return { ours: find(one), theirs: find(other), base: undefined }
}

type Outcome =
  /** `undefined` if the lock gets no such part. */
  | { readonly kind: 'taken'; readonly part: PinnedPrompt | undefined }
  | { readonly kind: 'open'; readonly sides: readonly PinnedPrompt[] }
  /** `held`: there are two holds, and a person has to say which one is meant. */
  | { readonly kind: 'held' | 'lost' }

const LOST: Outcome = { kind: 'lost' }

/**
 * The second step of a merge: what becomes of one part.
 *
 * @param isLeft - whether it is in the file as git left it, which moves lines into other entries
 */
function settle(
  file: PartSides,
  committed: PartSides | undefined,
  isComplete: boolean,
  isLeft: boolean | undefined,
): Outcome {
  const isRead = file !== 'unreadable' && (isComplete || file.ours !== undefined)
  // In conflict nowhere, or resolved by hand.
  const isResolved = isRead && !isLeft && isSame(file.ours, file.theirs)
  if (isRead && (committed === undefined || isResolved)) return mergePart(file)
  if (committed === undefined || committed === 'unreadable') return LOST
  const isEdited = !isLeft && file !== 'unreadable' && file.ours && isAlike(file.ours, file.theirs)
  return isEdited && sidesToMerge(committed).length === 1 ? LOST : mergePart(committed)
}

function mergePart(part: ReadableSides): Outcome {
  const sides = sidesToMerge(part)
  const versions = sides.filter((side) => side !== undefined)
  if (versions.some(({ isIntact }) => !isIntact)) return LOST
  const prompts = versions.map(({ prompt }) => prompt)
  const held = prompts.filter((prompt) => prompt.held !== undefined)
  if (sides.length === 1) return { kind: 'taken', part: prompts[0] }
  if (held.length === 2) return { kind: 'held' }
  return held.length === 1 ? { kind: 'taken', part: held[0] } : { kind: 'open', sides: prompts }
}

/** Returns one side, unless both changed the part in another way. */
function sidesToMerge({ ours, theirs, base }: ReadableSides): (LockPart | undefined)[] {
  if (isSame(ours, theirs) || isSame(theirs, base)) return [ours]
  return isSame(ours, base) ? [theirs] : [ours, theirs]
}

/** Intact parts with equal hashes are the same; so are two missing parts. */
function isSame(one: LockPart | undefined, other: LockPart | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.isIntact && other.isIntact && one.integrity === other.integrity
}

function isAlike(one: PartSides | LockPart, other: PartSides | LockPart | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function oursOf(sides: PartSides): readonly PinnedPrompt[] {
  return sides !== 'unreadable' && sides.ours?.isIntact ? [sides.ours.prompt] : []
}

function losingHold(faulty: FaultyLock): FaultyLock {
  const { fault } = faulty
  const details = { ...fault.details, losesHold: true }
  return { ...faulty, fault: { ...fault, details } as LockFault }
}

/**
 * @param all - the whole text, which mixes the entries of both sides
 * @param formers - of git, the first ones first
 */
function describeLost(
  { slug, environment }: PartId,
  all: FoundEntries,
  { ours, theirs }: Sides,
  formers: readonly FoundEntries[],
): Omit<LostPart, 'line'> {
  const partsOf = (entries: readonly FoundEntry[]): LockPart[] =>
    entries.flatMap(({ parts = [] }) =>
      parts.filter(({ prompt }) => prompt.environment === environment),
    )
  const entries = entriesIn(slug, all, ours, theirs)
  const parts = partsOf(entries)
  const intact = partsOf(entriesIn(slug, ...formers)).find(({ isIntact }) => isIntact)
  const former = intact?.prompt ?? null
  const holds = [
    ...parts.map(({ prompt }) => prompt.held?.reason),
    ...entries.map(({ parts: read, text }) => (read === undefined ? reasonIn(text) : undefined)),
    ...(parts.length === 0 ? [former?.held?.reason] : []),
  ]
  return {
    slug,
    environment,
    isEdited: parts.some(({ isIntact }) => !isIntact),
    held: holds.find((reason) => reason !== undefined) ?? null,
    former,
  }
}

function reasonIn(text: string): string | undefined {
  const key = /"held"\s*:\s*\{\s*"reason"\s*:/.exec(text)
  if (key === null) return undefined
  const [value] = tokensOf(text.slice(key.index + key[0].length))
  return value && parseJsonString(value.text)
}
