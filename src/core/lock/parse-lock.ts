/**
 * Reads a lock. Its text is split into entries; each is parsed, printed again and hashed: all of them, or in a build
 * only those that it ships. A text that another tool printed is printed again before.
 */
import { describePart, type Lock, type PinnedPrompt, sortParts } from '../prompt.ts'
import { compareCodePoints, findDuplicates } from '../text/order.ts'
import { canonicalLock, faulty, type FaultyLock, invalid } from './canonical-lock.ts'
import { hasConflictMarker } from './conflict.ts'
import { type Entry, headsOf, type LockPart, type PartHead, readParts } from './entry.ts'
import { type Digest, splitEntries } from './print-lock.ts'

/** A lock, or why the text is not one. */
export type ParsedLock =
  | {
      readonly kind: 'lock'
      readonly lock: Lock
      readonly entries: LockEntries
      /** The first slug that is out of order in the text, as after a merge by hand. */
      readonly unsorted: string | undefined
    }
  | FaultyLock

/** The entries that were read, by slug. A map by their texts takes 3 ms to hash those of 1,000. */
export type LockEntries = ReadonlyMap<string, ReadEntry>

/**
 * Parses and verifies a whole lock. The text must be what `printLock` prints, except for white space between
 * tokens and the order of entries.
 *
 * @param known - of an earlier text, which is mostly the same. Default: none
 */
export function parseLock(text: string, digest: Digest, known?: LockEntries): ParsedLock {
  const read = readEntries(text, digest, known)
  if (read.kind === 'fault') return read
  const { entries } = read
  const fault = findRepeated(entries)
  if (fault !== undefined) return fault
  const parts = [...entries.values()].flatMap(({ parts: found }) => found)
  if (parts.some(({ isIntact }) => !isIntact)) return editedLock(parts)
  return {
    kind: 'lock',
    lock: { parts: sortParts(parts.map(({ prompt }) => prompt)) },
    entries: new Map(entries.map((entry) => [entry.slug, entry])),
    unsorted: findUnsorted(entries),
  }
}

/**
 * Opens a lock for a build, which verifies the entries that it ships.
 *
 * @param fail - throws the error of an entry
 */
export function openLock(
  text: string,
  digest: Digest,
  fail: (fault: FaultyLock) => never,
): readonly Entry[] | FaultyLock {
  const split = splitLock(text)
  if (split.kind === 'fault') return split
  const { version, entries } = split
  const fault = findRepeated(entries)
  if (fault !== undefined) return fault
  const unsorted = findUnsorted(entries)
  if (unsorted !== undefined) return unsortedLock(unsorted)
  return entries.map((entry) => new UnreadEntry(entry, { text, version, digest, fail }))
}

/** The lock that an entry is in, and how it is read. */
interface EntryContext {
  readonly text: string
  readonly version: number
  readonly digest: Digest
  readonly fail: (fault: FaultyLock) => never
}

class UnreadEntry implements Entry {
  readonly slug: string
  readonly heads: readonly PartHead[]
  readonly #printed: string
  readonly #context: EntryContext
  #parts: readonly PinnedPrompt[] | undefined

  constructor({ slug, heads, printed }: SplitEntry, context: EntryContext) {
    this.slug = slug
    this.heads = heads
    this.#printed = printed
    this.#context = context
  }

  parts(): readonly PinnedPrompt[] {
    this.#parts ??= this.#verify()
    return this.#parts
  }

  #verify(): readonly PinnedPrompt[] {
    const { text, version, digest, fail } = this.#context
    const parts = readParts(this.#printed, digest, version)
    if (parts === undefined) return fail(explain(text))
    return parts.every(({ isIntact }) => isIntact)
      ? parts.map(({ prompt }) => prompt)
      : fail(editedLock(parts))
  }
}

interface SplitLock {
  readonly kind: 'split'
  readonly version: number
  readonly entries: readonly SplitEntry[]
}

interface SplitEntry extends Pick<Entry, 'slug' | 'heads'> {
  readonly printed: string
}

/** Splits a lock into entries, of which only the first lines are read. */
function splitLock(text: string): SplitLock | FaultyLock {
  const split = splitPrinted(text.replaceAll('\r\n', '\n'))
  if (split !== undefined) return split
  const canonical = canonicalLock(text)
  if (typeof canonical !== 'string') return canonical
  return splitPrinted(canonical) ?? NOT_AS_PRINTED
}

const NOT_AS_PRINTED = invalid(['an entry that is not as printed'])

/** @returns `undefined` if an entry does not begin as `printLock` prints it */
function splitPrinted(text: string): SplitLock | undefined {
  const split = splitEntries(text)
  if (split === undefined || hasConflictMarker(text)) return undefined
  const entries: SplitEntry[] = []
  for (const printed of split.entries) {
    const heads = headsOf(printed)
    if (heads === undefined) return undefined
    entries.push({ ...heads, printed })
  }
  return { kind: 'split', ...split, entries }
}

interface ReadLock extends SplitLock {
  readonly entries: readonly ReadEntry[]
}

interface ReadEntry extends SplitEntry {
  readonly parts: readonly LockPart[]
}

/** Reads every entry. Their order and their hashes may be wrong. */
function readEntries(text: string, digest: Digest, known?: LockEntries): ReadLock | FaultyLock {
  const split = splitLock(text)
  if (split.kind === 'fault') return split
  const entries: ReadEntry[] = []
  for (const entry of split.entries) {
    const old = known?.get(entry.slug)
    const parts =
      old?.printed === entry.printed ? old.parts : readParts(entry.printed, digest, split.version)
    if (parts === undefined) return explain(text)
    entries.push({ ...entry, parts })
  }
  return { ...split, entries }
}

/** Says what is wrong in a lock with an entry that can't be read. */
function explain(text: string): FaultyLock {
  const canonical = canonicalLock(text)
  return typeof canonical === 'string' ? NOT_AS_PRINTED : canonical
}

function editedLock(parts: readonly LockPart[]): FaultyLock {
  const edited = parts.flatMap(({ prompt, isIntact }) => (isIntact ? [] : [prompt]))
  const slugs = edited.map((part) => describePart(part))
  return { ...faulty({ code: 'LOCK_EDITED', details: { slugs } }), parts: edited }
}

function findRepeated(entries: readonly SplitEntry[]): FaultyLock | undefined {
  const slugs = findDuplicates(entries.map(({ slug }) => slug))
  return slugs.length === 0 ? undefined : faulty({ code: 'LOCK_DUPLICATE', details: { slugs } })
}

export function unsortedLock(slug: string): FaultyLock {
  return faulty({ code: 'LOCK_UNSORTED', details: { slugs: [slug] } })
}

function findUnsorted(entries: readonly SplitEntry[]): string | undefined {
  return entries.find(({ slug }, at) => compareCodePoints(entries[at - 1]?.slug ?? '', slug) > 0)
    ?.slug
}
