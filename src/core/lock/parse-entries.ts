import * as v from 'valibot'
import { type Environment, type Hold, isJoin, type PinnedPrompt } from '../prompt.ts'
import {
  environment,
  exactObject,
  findProblems,
  finiteNumber,
  isRecord,
  printPath,
  type SchemaProblem,
  string,
} from '../schema.ts'
import { findConflictMarker } from './conflict.ts'
import { type Digest, integrityOf } from './integrity.ts'
import { describeDifference, describeHidingSpace } from './json-difference.ts'
import {
  LOCK_VERSION,
  printBytes,
  type PrintedEntry,
  printEntries,
  printOpening,
} from './print-lock.ts'

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
export interface FoundFault {
  readonly kind: 'fault'
  readonly fault: LockFault
  readonly cause?: unknown
}

/** Creates the result for a text that can't be read. */
export function fault(found: LockFault, cause?: unknown): FoundFault {
  return { kind: 'fault', fault: found, cause }
}

/** The same for a text that is not a valid lock. */
export function invalid(problems: readonly string[]): FoundFault {
  return fault({ code: 'LOCK_INVALID', details: { problems } })
}

/** The entries of a text in the form of a lock. */
export interface ParsedEntries {
  readonly kind: 'entries'
  readonly environment: Environment
  /** In the order of the text; hashes and order are not checked. */
  readonly entries: readonly LockEntry[]
}

/**
 * Parses a text that is canonical except for white space. Does not check integrity, order and
 * duplicates.
 */
export function parseEntries(text: string): ParsedEntries | FoundFault {
  const json = parseJson(text)
  if (json.kind === 'fault') return json
  const version = isRecord(json.value) ? json.value['lockVersion'] : undefined
  if (isTooNew(version)) return tooNew(version)
  const shape = checkShape(json.value)
  if (shape.kind === 'invalid') return invalid(shape.problems)
  const { entries, canonical } = readEntries(shape.value)
  const difference =
    text === canonical
      ? undefined
      : (describeDifference(text, canonical) ?? describeHidingSpace(text))
  if (difference !== undefined) return invalid([difference])
  return { kind: 'entries', environment: shape.value.environment, entries }
}

/** The same for the fields of one entry, without its braces; `undefined` if they are not valid. */
export function parseEntry(fields: string): LockEntry | undefined {
  const read = parseEntries(`${printOpening('live')}[{${fields}}]}`)
  return read.kind === 'entries' ? read.entries[0] : undefined
}

function isTooNew(version: unknown): version is number {
  return typeof version === 'number' && version > LOCK_VERSION
}

function tooNew(version: number): FoundFault {
  return fault({ code: 'LOCK_TOO_NEW', details: { found: `${version}`, known: LOCK_VERSION } })
}

function parseJson(text: string): { kind: 'json'; value: unknown } | FoundFault {
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch (cause) {
    const line = findConflictMarker(text)
    if (line === undefined) return fault({ code: 'LOCK_SYNTAX', details: {} }, cause)
    // A pull overwrites a conflicted lock, but must not overwrite a newer one.
    const newest = Math.max(...findVersions(text))
    return isTooNew(newest)
      ? tooNew(newest)
      : fault({ code: 'LOCK_CONFLICTED', details: { line } }, cause)
  }
}

function findVersions(text: string): number[] {
  return [...text.matchAll(/"lockVersion": *(\d+)/g)].map(([, version]) => Number(version))
}

/** Without a schema for each line: a lock of 10,000 prompts has 400,000, and `v.array` copies them. */
const lines = v.custom<string[]>(
  (value) => Array.isArray(value) && value.every((line) => typeof line === 'string'),
  'an array of lines',
)

const ENTRY = exactObject(
  {
    slug: string,
    folder: string,
    model: string,
    temperature: finiteNumber,
    version: string,
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

/** The JSON value of a lock, or its problems, one line each. */
type CheckedShape =
  | { readonly kind: 'shape'; readonly value: LockValue }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

/** Checks keys and types. Their order and form is left to the comparison with the canonical text. */
function checkShape(value: unknown): CheckedShape {
  const problems = findProblems(LOCK, value).map((problem) => describe(problem, value))
  return problems.length > 0
    ? { kind: 'invalid', problems }
    : { kind: 'shape', value: value as LockValue }
}

function describe({ path, text: problem }: SchemaProblem, lock: unknown): string {
  const [, index] = path
  const slug: unknown = Object(lock).prompts?.[index as number]?.slug
  const entry = printPath(path.slice(0, 2)) + (typeof slug === 'string' ? ` (${slug})` : '')
  return [entry, printPath(path.slice(2)), problem].filter((part) => part !== '').join(': ')
}

/** An entry of a lock, its integrity not yet verified. */
export interface LockEntry extends PrintedEntry {
  readonly prompt: PinnedPrompt
}

/** The JSON value of a lock. */
interface LockValue {
  readonly environment: Environment
  readonly prompts: readonly EntryValue[]
}

interface EntryValue extends Omit<PinnedPrompt, 'system' | 'user' | 'source' | 'held'> {
  readonly system: readonly string[]
  readonly user: readonly string[]
  readonly join?: string
  readonly source?: readonly string[]
  readonly held?: Hold
  readonly integrity: string
}

/** The entries of a lock in the order of its text, and the text that `printLock` prints for them. */
interface ReadEntries {
  readonly entries: readonly LockEntry[]
  readonly canonical: string
}

/** Reads the entries of a lock. Its form is valid if its text is the canonical one. */
function readEntries({ environment: served, prompts }: LockValue): ReadEntries {
  const entries = prompts.map((entry) => {
    const prompt = toPrompt(entry)
    return { prompt, integrity: entry.integrity, bytes: printBytes(prompt) }
  })
  return { entries, canonical: printEntries(entries, served) }
}

function toPrompt(entry: EntryValue): PinnedPrompt {
  const { slug, folder, model, temperature, version, held } = entry
  const [system, user] = [entry.system.join(''), entry.user.join('')]
  const source = entry.source?.join('') ?? `${system}${entry.join ?? ''}${user}`
  const prompt = { slug, folder, model, temperature, version, system, user, source }
  return held === undefined ? prompt : { ...prompt, held: { reason: held.reason } }
}

/** Whether the hash of an entry matches its `integrity`. */
export function isIntact({ prompt, integrity, bytes }: LockEntry, digest: Digest): boolean {
  const actual = prompt.held === undefined ? integrityOf(prompt, digest, bytes) : digest(bytes)
  return actual === integrity
}
