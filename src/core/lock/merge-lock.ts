import { compareCodePoints, sortBySlug } from '../text/order.ts'
import type { Environment, PinnedPrompt } from '../prompt.ts'
import { escapeInvisible, parseJsonString } from '../text/json-string.ts'
import { type ConflictSides, splitConflictSides } from './conflict.ts'
import type { Digest, LockEntry } from './print-lock.ts'
import { isIntact, parseEntry } from './parse-lock.ts'

/** The usable part of a lock with conflict markers or edited entries. */
export interface RecoveredLock {
  readonly environment: Environment
  /** The intact entries of our side, sorted. */
  readonly ours: readonly PinnedPrompt[]
  /** The prompts that only one side changed, or neither, sorted. */
  readonly merged: readonly PinnedPrompt[]
  /** The slugs of all other prompts, sorted: both sides changed them, or their hash is wrong. */
  readonly conflicting: readonly string[]
}

interface SideEntry {
  /** `undefined` if it can't be read or its hash is wrong: git can mix the lines of two sides. */
  readonly intact: LockEntry | undefined
  readonly isHeld: boolean
}

interface Side {
  readonly environment: Environment
  readonly entries: ReadonlyMap<string, SideEntry>
}

/**
 * Merges the two sides of a lock with conflict markers, entry by entry. A lock without markers is
 * the same on both sides.
 *
 * An entry is taken from the side that changed it. Without a base, this is known only for entries that
 * one side lacks. If both sides changed an entry and one side holds it, the held entry is taken.
 *
 * @param committed - the sides as they were committed, if git has them. In the text, git has mixed lines
 *   of both, but entries outside of markers may be resolved already.
 * @returns `unreadable` if the sides can't be split or read, or have different environments; `held` if
 *   a hold would be lost
 */
export function recoverLock(
  text: string,
  digest: Digest,
  committed?: ConflictSides,
): RecoveredLock | 'unreadable' | 'held' {
  const marked = splitConflictSides(text)
  const sides = committed ?? marked
  if (sides === undefined) return HELD.test(text) ? 'held' : 'unreadable'
  const findResolved = committed && marked && resolvedEntries(text, marked, digest)
  const failure = HELD.test(sides.ours) || HELD.test(sides.theirs) ? 'held' : 'unreadable'
  const [ours, theirs] = [readSide(sides.ours, digest), readSide(sides.theirs, digest)]
  const base = sides.base === undefined ? undefined : readSide(sides.base, digest)?.entries
  if (ours === undefined || ours.environment !== theirs?.environment) return failure
  const merged: PinnedPrompt[] = []
  const conflicting: string[] = []
  for (const slug of new Set([...ours.entries.keys(), ...theirs.entries.keys()])) {
    const resolved = findResolved?.(slug)
    if (resolved !== undefined) {
      merged.push(...resolved)
      continue
    }
    const [one, other] = [ours.entries.get(slug), theirs.entries.get(slug)]
    const result = mergeEntry(one, other, base && { entry: base.get(slug) })
    if (result === 'conflict') {
      if (one?.isHeld || other?.isHeld) return 'held'
      conflicting.push(slug)
    } else if (result !== undefined) merged.push(result)
  }
  return {
    environment: ours.environment,
    ours: sortBySlug([...ours.entries.values()].flatMap(({ intact }) => intact?.prompt ?? [])),
    merged: sortBySlug(merged),
    conflicting: conflicting.toSorted(compareCodePoints),
  }
}

/**
 * Finds the entries of a conflicted text that need no merge any more: intact ones outside of markers.
 *
 * @returns a function that returns the prompt, `[]` if it was removed, and `undefined` for an entry that
 *   is to be merged; `undefined` if a side can't be read
 */
function resolvedEntries(
  text: string,
  { ours, theirs }: ConflictSides,
  digest: Digest,
): ((slug: string) => readonly PinnedPrompt[] | undefined) | undefined {
  const [one, other] = [readSide(ours, digest), readSide(theirs, digest)]
  if (one === undefined || other === undefined) return undefined
  const slugs = new Set([...text.matchAll(ANY_SLUG)].map(([, json = '']) => parseJsonString(json)))
  return (slug) => {
    if (!slugs.has(slug)) return []
    const [left, right] = [one.entries.get(slug), other.entries.get(slug)]
    return left?.intact !== undefined && isSame(left, right) ? [left.intact.prompt] : undefined
  }
}

/**
 * Merges one entry; `undefined` is a missing entry.
 *
 * @param base - `undefined` if there is none
 */
function mergeEntry(
  ours: SideEntry | undefined,
  theirs: SideEntry | undefined,
  base: { readonly entry: SideEntry | undefined } | undefined,
): PinnedPrompt | undefined | 'conflict' {
  if (isSame(ours, theirs)) return take(ours)
  if (base !== undefined && isSame(ours, base.entry)) return take(theirs)
  if (base !== undefined && isSame(theirs, base.entry)) return take(ours)
  const [held, ...others] = [ours, theirs].filter((side) => side?.isHeld)
  // Which hold is meant, a person has to say.
  if (others.length > 0) return 'conflict'
  if (held !== undefined) return take(held)
  if (base === undefined && ours === undefined) return take(theirs)
  if (base === undefined && theirs === undefined) return take(ours)
  return 'conflict'
}

/** The prompt of a side; `undefined` if the side lacks it. */
function take(side: SideEntry | undefined): PinnedPrompt | undefined | 'conflict' {
  return side === undefined ? undefined : (side.intact?.prompt ?? 'conflict')
}

/** Intact entries with equal hashes are the same; so are two missing entries. */
function isSame(one: SideEntry | undefined, other: SideEntry | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.intact !== undefined && one.intact.integrity === other.intact?.integrity
}

const OPENING = '    {\n'
const CLOSING = '\n    }'

/**
 * Reads a text, which may be invalid JSON as a whole.
 *
 * @returns `undefined` if its environment or a slug can't be read
 */
function readSide(text: string, digest: Digest): Side | undefined {
  const [head = '', ...chunks] = reformat(text).split(`\n${OPENING}`)
  const entries = new Map<string, SideEntry>()
  for (const chunk of chunks) {
    const slug = parseJsonString(SLUG.exec(chunk)?.[1] ?? '')
    if (slug === undefined) return undefined
    const same = entries.get(slug)
    entries.set(slug, {
      intact: same === undefined ? readIntactEntry(chunk, digest) : undefined,
      isHeld: HELD.test(chunk) || same?.isHeld === true,
    })
  }
  const environment = findEnvironment(head)
  return environment && { environment, entries }
}

function readIntactEntry(chunk: string, digest: Digest): LockEntry | undefined {
  const rest = chunk.slice(0, chunk.lastIndexOf(CLOSING))
  const entry = parseEntry(rest)
  return entry !== undefined && isIntact(entry, digest) ? entry : undefined
}

function findEnvironment(head: string): Environment | undefined {
  const [found, ...others] = (['live', 'test'] as const).filter((environment) =>
    head.includes(`\n  "environment": "${environment}",\n`),
  )
  return others.length === 0 ? found : undefined
}

/** A formatter may have changed the white space. */
function reformat(text: string): string {
  try {
    return `${escapeInvisible(JSON.stringify(JSON.parse(text), undefined, 2))}\n`
  } catch {
    return text
  }
}

/** Not in a string, where its quotes are escaped. */
const ANY_SLUG = /"slug"\s*:\s*("(?:[^"\\]|\\.)*")/g
const SLUG = /^ {6}"slug": (".*"),$/m
/** Not in a string, where its quotes are escaped. Formatters change the white space. */
const HELD = /"held"\s*:\s*\{/
