import { compareCodePoints, sortBySlug } from '../text/order.ts'
import type { Environment, HeldMark, PinnedPrompt } from '../prompt.ts'
import { unquote } from '../text/quote.ts'
import { type ConflictSides, separateSides } from './conflict.ts'
import type { Digest } from './integrity.ts'
import { readText } from './parse-lock.ts'
import { isWhole, type LockEntry, reprint } from './read-entries.ts'

/** What can be kept of a lock that has conflict markers or entries that were edited. */
export interface RecoveredLock {
  readonly environment: Environment
  /** The whole entries of our side, sorted. */
  readonly ours: readonly PinnedPrompt[]
  /** The prompts that only one side changed, or neither, sorted. */
  readonly settled: readonly PinnedPrompt[]
  /** The slugs of all other prompts, sorted: both sides changed them, or their hash is wrong. */
  readonly undecided: readonly string[]
}

/** An entry on one side of a conflict. */
interface SideEntry {
  /** `undefined` if it can't be read or its hash is wrong, as git can mix the lines of two sides. */
  readonly whole: LockEntry | undefined
  readonly held: HeldMark | undefined
}

interface Side {
  readonly environment: Environment | undefined
  readonly entries: ReadonlyMap<string, SideEntry>
  /** Whether an entry without a readable slug is held. */
  readonly hasLostMark: boolean
}

/**
 * Merges the two sides of a lock with conflict markers, entry by entry. A lock without markers is
 * the same on both sides.
 *
 * An entry is taken from the side that changed it. Without a base that is known for entries that
 * only one side has. If both sides changed an entry and one holds it, the held one is taken.
 *
 * @returns `unreadable` if the sides can't be separated or are of two environments; `held` if a
 *   held mark would be lost
 */
export function recoverLock(text: string, digest: Digest): RecoveredLock | 'unreadable' | 'held' {
  const sides = separateSides(text)
  if (sides === undefined) return HELD.test(text) ? 'held' : 'unreadable'
  return mergeSides(sides, digest)
}

/** The same for sides that are known. */
export function mergeSides(
  sides: ConflictSides,
  digest: Digest,
): RecoveredLock | 'unreadable' | 'held' {
  const lost = HELD.test(sides.ours) || HELD.test(sides.theirs) ? 'held' : 'unreadable'
  const [ours, theirs] = [readSide(sides.ours, digest), readSide(sides.theirs, digest)]
  const base = sides.base === undefined ? undefined : readSide(sides.base, digest).entries
  const { environment } = ours
  if (environment === undefined || environment !== theirs.environment) return lost
  if (ours.hasLostMark || theirs.hasLostMark) return 'held'
  const settled: PinnedPrompt[] = []
  const undecided: string[] = []
  for (const slug of new Set([...ours.entries.keys(), ...theirs.entries.keys()])) {
    const [one, other] = [ours.entries.get(slug), theirs.entries.get(slug)]
    const merged = mergeEntry(one, other, base && { entry: base.get(slug) })
    if (merged === 'undecided') {
      if (one?.held !== undefined || other?.held !== undefined) return 'held'
      undecided.push(slug)
    } else if (merged !== undefined) settled.push(merged)
  }
  return {
    environment,
    ours: sortBySlug([...ours.entries.values()].flatMap(({ whole }) => whole?.prompt ?? [])),
    settled: sortBySlug(settled),
    undecided: undecided.toSorted(compareCodePoints),
  }
}

/**
 * Decides on one entry; `undefined` is an entry that is not there.
 *
 * @param base - `undefined` if there is none
 */
function mergeEntry(
  ours: SideEntry | undefined,
  theirs: SideEntry | undefined,
  base: { readonly entry: SideEntry | undefined } | undefined,
): PinnedPrompt | undefined | 'undecided' {
  const take = (side: SideEntry | undefined): PinnedPrompt | undefined | 'undecided' =>
    side === undefined ? undefined : (side.whole?.prompt ?? 'undecided')
  if (isSame(ours, theirs)) return take(ours)
  if (base !== undefined && isSame(ours, base.entry)) return take(theirs)
  if (base !== undefined && isSame(theirs, base.entry)) return take(ours)
  const held = [ours, theirs].find((side) => side?.held !== undefined)
  if (held !== undefined) return take(held)
  if (base === undefined && ours === undefined) return take(theirs)
  if (base === undefined && theirs === undefined) return take(ours)
  return 'undecided'
}

/** Whole entries of the same hash are the same; so are two that are not there. */
function isSame(one: SideEntry | undefined, other: SideEntry | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.whole !== undefined && one.whole.integrity === other.whole?.integrity
}

const OPENING = '    {\n'
const CLOSING = '\n    }'

/** What makes one entry a lock. */
const BEFORE_ENTRY = '{"lockVersion": 1, "environment": "live", "prompts": ['
const AFTER_ENTRY = ']}'

/** Reads all entries that can be read, also of a text that is not valid JSON as a whole. */
function readSide(text: string, digest: Digest): Side {
  const [head = '', ...chunks] = reformat(text).split(`\n${OPENING}`)
  const entries = new Map<string, SideEntry>()
  let hasLostMark = false
  for (const chunk of chunks) {
    const whole = readWhole(chunk, digest)
    const held = whole === undefined ? heldIn(chunk) : whole.prompt.held
    const slug = whole?.prompt.slug ?? unquote(SLUG.exec(chunk)?.[1] ?? '')
    const same = slug === undefined ? undefined : entries.get(slug)
    if (slug === undefined) hasLostMark ||= held !== undefined
    else if (same === undefined) entries.set(slug, { whole, held })
    else entries.set(slug, { whole: undefined, held: same.held ?? held })
  }
  return { environment: environmentIn(head), entries, hasLostMark }
}

function readWhole(chunk: string, digest: Digest): LockEntry | undefined {
  const rest = chunk.slice(0, chunk.lastIndexOf(CLOSING))
  const read = readText(BEFORE_ENTRY + OPENING + rest + CLOSING + AFTER_ENTRY)
  const entry = read.kind === 'entries' ? read.entries[0] : undefined
  return entry !== undefined && isWhole(entry, digest) ? entry : undefined
}

function environmentIn(head: string): Environment | undefined {
  const named = (environment: Environment): boolean =>
    head.includes(`\n  "environment": "${environment}",\n`)
  return named('live') === named('test') ? undefined : named('live') ? 'live' : 'test'
}

/** A formatter may have changed the white space. */
function reformat(text: string): string {
  try {
    return reprint(JSON.parse(text))
  } catch {
    return text
  }
}

const SLUG = /^ *"slug": *(".*"),?$/m
const HELD = /^ *"held": *\{/m
const REASON = /"held": *\{\s*"reason": *(".*")/

function heldIn(chunk: string): HeldMark | undefined {
  return HELD.test(chunk) ? { reason: unquote(REASON.exec(chunk)?.[1] ?? '') ?? '' } : undefined
}
