/**
 * Reads a lock. Its text is split into entries; each is parsed, printed again and hashed: all of them, or in a build
 * only those that it ships. A text that another tool printed is printed again before.
 */
import * as v from 'valibot'
import { describePart, type Lock, type PinnedPrompt, sortParts } from '../prompt.ts'
import { compareCodePoints, findDuplicates } from '../text/order.ts'
import { canonicalLock, faulty, type FaultyLock, invalid } from './canonical-lock.ts'
import { hasConflictMarker } from './conflict.ts'
import { entrySchema, headsOf, type LockPart, type PartHead, readEntry } from './entry.ts'
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
 * Opens a lock for a build. A part is verified when anything but what {@link headsOf} reads is first read of it.
 *
 * @param fail - throws the error of the entry that is read
 */
export function openLock(
  text: string,
  digest: Digest,
  fail: (fault: FaultyLock) => never,
): Lock | FaultyLock {
  const split = splitLock(text)
  if (split.kind === 'fault') return split
  const { version, entries } = split
  const unsorted = findUnsorted(entries)
  const fault = findRepeated(entries)
  if (fault !== undefined) return fault
  if (unsorted !== undefined)
    return faulty({ code: 'LOCK_UNSORTED', details: { slugs: [unsorted] } })
  let parsed: ParsedLock | undefined
  const readFormatted = (slug: string): readonly LockPart[] => {
    parsed ??= parseLock(text, digest)
    return parsed.kind === 'fault' ? fail(parsed) : (parsed.entries.get(slug)?.parts ?? [])
  }
  const parts = entries.flatMap(({ slug, printed, heads }) => {
    const entry = new LazyEntry(() => {
      // The whole lock is parsed only if the lines of an entry are those of another tool, and once.
      const read = readPrinted(printed, digest, version) ?? readFormatted(slug)
      return read.every(({ isIntact }) => isIntact) ? read : fail(editedLock(read))
    })
    return heads.map((head) => new Proxy(head as PinnedPrompt, entry))
  })
  return { parts }
}

/**
 * Parses the parts of a side of a merge, with wrong hashes and all parts of a slug that is there twice.
 *
 * @returns `undefined` if the text is no lock
 */
export function parseSide(text: string, digest: Digest): readonly LockPart[] | undefined {
  const read = readEntries(text, digest)
  if (read.kind === 'fault') return undefined
  return read.entries.flatMap(({ parts }) => parts)
}

interface SplitLock {
  readonly kind: 'split'
  readonly version: number
  readonly entries: readonly SplitEntry[]
}

interface SplitEntry {
  readonly printed: string
  readonly slug: string
  readonly heads: readonly PartHead[]
}

/** Splits a lock into entries, of which only the first lines are read. */
function splitLock(text: string): SplitLock | FaultyLock {
  return splitPrinted(text.replaceAll('\r\n', '\n')) ?? splitFormatted(text)
}

const NOT_AS_PRINTED = invalid(['an entry that is not as printed'])

function splitFormatted(text: string): SplitLock | FaultyLock {
  const canonical = canonicalLock(text)
  if (typeof canonical !== 'string') return canonical
  return splitPrinted(canonical) ?? NOT_AS_PRINTED
}

/** @returns `undefined` if an entry does not begin as `printLock` prints it */
function splitPrinted(text: string): SplitLock | undefined {
  const split = splitEntries(text)
  if (split === undefined || hasConflictMarker(text)) return undefined
  const entries: SplitEntry[] = []
  for (const printed of split.entries) {
    const heads = headsOf(printed)
    if (heads === undefined) return undefined
    entries.push({ printed, slug: heads.slug, heads: heads.parts })
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
  const read = readAll(split, digest, known)
  if (read !== undefined) return read
  // Some lines are those of another tool.
  const formatted = splitFormatted(text)
  if (formatted.kind === 'fault') return formatted
  return readAll(formatted, digest, known) ?? NOT_AS_PRINTED
}

function readAll(split: SplitLock, digest: Digest, known?: LockEntries): ReadLock | undefined {
  const entries: ReadEntry[] = []
  for (const entry of split.entries) {
    const { slug, printed } = entry
    const old = known?.get(slug)
    const parts = old?.printed === printed ? old.parts : readPrinted(printed, digest, split.version)
    if (parts === undefined) return undefined
    entries.push({ ...entry, parts })
  }
  return { ...split, entries }
}

/** @returns `undefined` if the entry is not what `printLock` prints */
function readPrinted(
  printed: string,
  digest: Digest,
  version: number,
): readonly LockPart[] | undefined {
  try {
    const entry = v.parse(entrySchema(version), JSON.parse(`{${printed}}`))
    const read = readEntry(entry, digest, version)
    return read.printed === printed ? read.parts : undefined
  } catch {
    // It is no JSON, or has other types.
    return undefined
  }
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

function findUnsorted(entries: readonly SplitEntry[]): string | undefined {
  return entries.find(({ slug }, at) => compareCodePoints(entries[at - 1]?.slug ?? '', slug) > 0)
    ?.slug
}

/**
 * Verifies an entry when anything but the head of one of its parts is read, or a copy is made of it. Proxies, since to
 * define a getter for each field took a third of the time of opening a lock.
 */
class LazyEntry implements ProxyHandler<PinnedPrompt> {
  readonly #verify: () => readonly LockPart[]
  #parts: readonly LockPart[] | undefined

  constructor(verify: () => readonly LockPart[]) {
    this.#verify = verify
  }

  get(head: PinnedPrompt, name: PropertyKey): unknown {
    return Reflect.get(name in head ? head : this.#whole(head), name)
  }

  has(head: PinnedPrompt, name: PropertyKey): boolean {
    return Reflect.has(this.#whole(head), name)
  }

  ownKeys(head: PinnedPrompt): (string | symbol)[] {
    return Reflect.ownKeys(this.#whole(head))
  }

  getOwnPropertyDescriptor(head: PinnedPrompt, name: PropertyKey): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.#whole(head), name)
  }

  #whole(head: PinnedPrompt): PinnedPrompt {
    this.#parts ??= this.#verify()
    const part = this.#parts.find(({ prompt }) => prompt.environment === head.environment)
    return part?.prompt ?? head
  }
}
