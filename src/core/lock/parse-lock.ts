import * as v from 'valibot'
import { compareCodePoints, findDuplicates, sortBySlug } from '../text/order.ts'
import { type Lock, type Environment, isJoin, settingsOf } from '../prompt.ts'
import {
  type Digest,
  LOCK_VERSION,
  type LockEntry,
  printBytes,
  printEntries,
} from './print-lock.ts'
import {
  environment,
  exactObject,
  findProblems,
  isRecord,
  printPath,
  type SchemaProblem,
  settings,
  string,
} from '../schema.ts'
import { findConflictMarker } from './conflict.ts'
import { describeDifference, describeHidingSpace } from './json-difference.ts'

/** A lock, or why the text is not one. */
export type ParsedLock =
  | {
      readonly kind: 'lock'
      /** Its prompts are sorted. */
      readonly lock: Lock
      /** The first slug that is out of order in the text, as after a merge by hand. */
      readonly unsorted: string | undefined
    }
  | FaultyLock

/**
 * Parses a lock. The text must be what `printLock` prints, except for white space between tokens and
 * the order of entries. All problems of one kind are reported together.
 */
export function parseLock(text: string, digest: Digest): ParsedLock {
  const parsed = parseEntries(text)
  if (parsed.kind === 'fault') return parsed
  const { environment: kind, entries } = parsed
  const slugs = entries.map(({ prompt }) => prompt.slug)
  const problems = findDuplicates(slugs).map((slug) => `duplicate slug ${slug}`)
  if (problems.length > 0) return invalid(problems)
  const edited = entries.filter((entry) => !isIntact(entry, digest))
  const editedSlugs = edited.map(({ prompt }) => prompt.slug)
  if (edited.length > 0) return faulty({ code: 'LOCK_EDITED', details: { slugs: editedSlugs } })
  const prompts = sortBySlug(entries.map(({ prompt }) => prompt))
  const lock = { environment: kind, prompts }
  const unsorted = slugs.find(
    (slug, at) => at > 0 && compareCodePoints(slugs[at - 1] ?? '', slug) > 0,
  )
  return { kind: 'lock', lock, unsorted }
}

/** Why a text is not a valid lock: an error code and its details. */
export type LockFault =
  | { readonly code: 'LOCK_CONFLICTED'; readonly details: { readonly line: number } }
  | { readonly code: 'LOCK_SYNTAX'; readonly details: object }
  | {
      readonly code: 'LOCK_TOO_NEW'
      readonly details: { readonly found: string; readonly known: number }
    }
  | { readonly code: 'LOCK_INVALID'; readonly details: { readonly problems: readonly string[] } }
  | { readonly code: 'LOCK_EDITED'; readonly details: { readonly slugs: readonly string[] } }

/** Why a text can't be read. */
export interface FaultyLock {
  readonly kind: 'fault'
  readonly fault: LockFault
  readonly cause?: unknown
}

function faulty(fault: LockFault, cause?: unknown): FaultyLock {
  return { kind: 'fault', fault, cause }
}

function invalid(problems: readonly string[]): FaultyLock {
  return faulty({ code: 'LOCK_INVALID', details: { problems } })
}

/** The entries of a text in the form of a lock. */
interface ParsedEntries {
  readonly kind: 'entries'
  readonly environment: Environment
  /** In the order of the text; hashes and order are not checked. */
  readonly entries: readonly LockEntry[]
}

/**
 * Parses a text that is canonical except for white space. Does not check integrity, order and
 * duplicates.
 */
export function parseEntries(text: string): ParsedEntries | FaultyLock {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    return explainSyntax(text, cause)
  }
  const version = isRecord(json) ? json['lockVersion'] : undefined
  if (isTooNew(version)) return tooNew(version)
  // Keys and types. Their order and form is left to the comparison with the canonical text.
  const result = v.safeParse(LOCK, json)
  if (!result.success)
    return invalid(findProblems(LOCK, json).map((problem) => describe(problem, json)))
  const { environment: kind, prompts } = result.output
  const entries = prompts.map(toEntry)
  const canonical = printEntries(entries, kind)
  if (text !== canonical) {
    const difference = describeDifference(text, canonical) ?? describeHidingSpace(text)
    if (difference !== undefined) return invalid([difference])
  }
  return { kind: 'entries', environment: kind, entries }
}

function explainSyntax(text: string, cause: unknown): FaultyLock {
  const line = findConflictMarker(text)
  if (line === undefined) return faulty({ code: 'LOCK_SYNTAX', details: {} }, cause)
  // A pull overwrites a conflicted lock, but must not overwrite a newer one.
  const versions = [...text.matchAll(/"lockVersion": *(\d+)/g)]
  const newest = Math.max(...versions.map(([, version]) => Number(version)))
  return isTooNew(newest)
    ? tooNew(newest)
    : faulty({ code: 'LOCK_CONFLICTED', details: { line } }, cause)
}

/** The same for the fields of one entry, without its braces; `undefined` if they are not valid. */
export function parseEntry(fields: string): LockEntry | undefined {
  const parsed = parseEntries(
    `{"lockVersion":${LOCK_VERSION},"environment":"live","prompts":[{${fields}}]}`,
  )
  return parsed.kind === 'entries' ? parsed.entries[0] : undefined
}

function isTooNew(version: unknown): version is number {
  return typeof version === 'number' && version > LOCK_VERSION
}

function tooNew(version: number): FaultyLock {
  return faulty({ code: 'LOCK_TOO_NEW', details: { found: `${version}`, known: LOCK_VERSION } })
}

/** Without a schema for each line: a lock of 10,000 prompts has 400,000, and `v.array` copies them. */
const lines = v.custom<string[]>(
  (value) => Array.isArray(value) && value.every((line) => typeof line === 'string'),
  'an array of lines',
)

const ENTRY = exactObject(
  {
    ...settings(string),
    system: lines,
    user: lines,
    join: v.optional(v.pipe(string, v.check(isJoin, 'white space'))),
    source: v.optional(lines),
    held: v.optional(exactObject({ reason: string }, 'unknown key')),
    integrity: string,
  },
  'unknown key',
)

const LOCK = exactObject(
  {
    lockVersion: v.literal(LOCK_VERSION, `${LOCK_VERSION}`),
    environment,
    prompts: v.array(ENTRY, 'an array'),
  },
  'unknown key',
)

function describe({ path, text: problem }: SchemaProblem, lock: unknown): string {
  const [, index] = path
  const slug: unknown = Object(lock).prompts?.[index as number]?.slug
  const entry = printPath(path.slice(0, 2)) + (typeof slug === 'string' ? ` (${slug})` : '')
  return [entry, printPath(path.slice(2)), problem].filter((part) => part !== '').join(': ')
}

function toEntry(entry: v.InferOutput<typeof ENTRY>): LockEntry {
  const { held, integrity } = entry
  const [system, user] = [entry.system.join(''), entry.user.join('')]
  const source = entry.source?.join('') ?? `${system}${entry.join ?? ''}${user}`
  const fields = { ...settingsOf(entry), system, user, source }
  return { prompt: held === undefined ? fields : { ...fields, held }, integrity }
}

/** Whether the hash of an entry matches its `integrity`. */
export function isIntact({ prompt, integrity }: LockEntry, digest: Digest): boolean {
  return digest(printBytes(prompt)) === integrity
}
