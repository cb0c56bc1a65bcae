import * as v from 'valibot'
import { isSamePrompt } from '../compare.ts'
import { joinLines } from '../text/lines.ts'
import { compareCodePoints, findDuplicates } from '../text/order.ts'
import {
  describePart,
  type Environment,
  isJoin,
  type Lock,
  type PartId,
  type PinnedPrompt,
  settingsOf,
  sortParts,
} from '../prompt.ts'
import {
  type Digest,
  fieldsOf,
  integrityOf,
  LOCK_VERSION,
  type LockPart,
  printParts,
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
      readonly lock: Lock
      /** Its parts, which are verified. */
      readonly parts: readonly LockPart[]
      /** The first slug that is out of order in the text, as after a merge by hand. */
      readonly unsorted: string | undefined
    }
  | FaultyLock

/**
 * Parses a lock. The text must be what `printLock` prints, except for white space between tokens and
 * the order of entries. All problems of one kind are reported together.
 *
 * @param known - parts that were verified before, by their hash. Default: none
 */
export function parseLock(text: string, digest: Digest, known?: KnownParts): ParsedLock {
  const parsed = parseParts(text, known)
  if (parsed.kind === 'fault') return parsed
  const { environment: view, slugs, parts } = parsed
  const edited = parts
    .filter((part) => known?.get(part.integrity) !== part && !isIntact(part, digest))
    .map(({ prompt }) => prompt)
  if (edited.length > 0) {
    const names = edited.map((part) => describePart(part))
    return { ...faulty({ code: 'LOCK_EDITED', details: { slugs: names } }), parts: edited }
  }
  const lock = { environment: view, parts: sortParts(parts.map(({ prompt }) => prompt)) }
  const unsorted = slugs.find(
    (slug, at) => at > 0 && compareCodePoints(slugs[at - 1] ?? '', slug) > 0,
  )
  return { kind: 'lock', lock, parts, unsorted }
}

/** Verified parts, by their hash. A lock that is read again is mostly the same. */
export type KnownParts = ReadonlyMap<string, LockPart>

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

export interface FaultyLock {
  readonly kind: 'fault'
  readonly fault: LockFault
  /** The parts of LOCK_EDITED. */
  readonly parts?: readonly PartId[]
  readonly cause?: unknown
}

function faulty(fault: LockFault, cause?: unknown): FaultyLock {
  return { kind: 'fault', fault, cause }
}

function invalid(problems: readonly string[]): FaultyLock {
  return faulty({ code: 'LOCK_INVALID', details: { problems } })
}

/** The parts of a text in the form of a lock. */
interface ParsedParts {
  readonly kind: 'parts'
  readonly environment: Environment
  /** In the order of the text, which is not checked. */
  readonly slugs: readonly string[]
  /** In the order of the text; hashes are not checked. */
  readonly parts: readonly LockPart[]
}

/**
 * Parses a text that is canonical except for white space. Does not check integrity and order.
 *
 * @param known - parts to use instead of equal ones. Default: none
 */
export function parseParts(text: string, known?: KnownParts): ParsedParts | FaultyLock {
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
  const { environment: view, prompts } = result.output
  const slugs = prompts.map(({ slug }) => slug)
  const problems = [
    ...findDuplicates(slugs).map((slug) => `duplicate slug ${slug}`),
    ...prompts.flatMap(({ slug, live, staging }) =>
      live === null && staging === undefined ? [`${slug}: neither a live nor a staging part`] : [],
    ),
  ]
  if (problems.length > 0) return invalid(problems)
  const parts = prompts.flatMap((entry) => toParts(entry, known))
  const canonical = printParts(parts, view)
  if (text !== canonical) {
    const difference = describeDifference(text, canonical) ?? describeHidingSpace(text)
    if (difference !== undefined) return invalid([difference])
  }
  return { kind: 'parts', environment: view, slugs, parts }
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

const { slug: _, ...partSettings } = settings(string)

const PART = exactObject(
  {
    ...partSettings,
    system: lines,
    user: lines,
    join: v.optional(v.pipe(string, v.check(isJoin, 'white space'))),
    source: v.optional(lines),
    held: v.optional(exactObject({ reason: string }, 'unknown key')),
    integrity: string,
  },
  'unknown key',
)

const ENTRY = exactObject(
  { slug: string, staging: v.optional(PART), live: v.nullable(PART) },
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

function toParts(
  { slug, live, staging }: v.InferOutput<typeof ENTRY>,
  known: KnownParts | undefined,
): LockPart[] {
  return [
    ...(live === null ? [] : [toPart(slug, 'live', live, known)]),
    ...(staging === undefined ? [] : [toPart(slug, 'test', staging, known)]),
  ]
}

function toPart(
  slug: string,
  part: Environment,
  fields: v.InferOutput<typeof PART>,
  known: KnownParts | undefined,
): LockPart {
  const { held, integrity } = fields
  const [system, user] = [joinLines(fields.system), joinLines(fields.user)]
  const source = fields.source ? joinLines(fields.source) : `${system}${fields.join ?? ''}${user}`
  const texts = { environment: part, system, user, source }
  const prompt = { ...settingsOf({ slug, ...fields }), ...texts, ...(held && { held }) }
  const same = known?.get(integrity)
  if (same !== undefined && isSamePart(same.prompt, prompt)) return same
  const areSplit = [fields.system, fields.user].every(isSplit)
  return { prompt, fields: fieldsOf(prompt, areSplit ? fields : undefined), integrity }
}

/** Whether `splitLines` returns these lines. */
function isSplit(array: readonly string[]): boolean {
  const hasEnd = array.length === 0 || (array.length > 1 && array.at(-1) === '')
  return hasEnd && !array.some((line) => line.includes('\n'))
}

function isSamePart(one: PinnedPrompt, other: PinnedPrompt): boolean {
  return (
    one.environment === other.environment &&
    one.held?.reason === other.held?.reason &&
    isSamePrompt(one, other)
  )
}

export function isIntact({ prompt, fields, integrity }: LockPart, digest: Digest): boolean {
  return integrityOf(prompt, fields, digest) === integrity
}
