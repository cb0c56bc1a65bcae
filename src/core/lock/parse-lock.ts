import * as v from 'valibot'
import { joinLines } from '../text/lines.ts'
import { compareCodePoints, findDuplicates } from '../text/order.ts'
import {
  describePart,
  type Environment,
  isJoin,
  type Lock,
  type PartId,
  type PinnedPrompt,
  sortParts,
} from '../prompt.ts'
import {
  type Digest,
  integrityOf,
  LOCK_VERSION,
  printEntries,
  printEntry,
  printFields,
  printPart,
  splitEntries,
} from './print-lock.ts'
import {
  environment,
  exactObject,
  findProblems,
  isRecord,
  printPath,
  type SchemaProblem,
  string,
} from '../schema.ts'
import { missingSettings, partSettings, settingSchemas } from '../settings.ts'
import { findConflictMarker } from './conflict.ts'
import { describeDifference, describeHidingSpace } from './json-difference.ts'

/** A lock, or why the text is not one. */
export type ParsedLock =
  | {
      readonly kind: 'lock'
      readonly lock: Lock
      /** Its entries, which are verified. */
      readonly entries: LockEntries
      /** The first slug that is out of order in the text, as after a merge by hand. */
      readonly unsorted: string | undefined
    }
  | FaultyLock

/** Entries by the first line of their print, which is the slug. */
export type LockEntries = ReadonlyMap<string, LockEntry>

interface LockEntry {
  readonly printed: string
  /** One or both, the live one first. */
  readonly parts: readonly LockPart[]
}

export interface LockPart {
  readonly prompt: PinnedPrompt
  /** As in the text. */
  readonly integrity: string
  readonly isIntact: boolean
}

/**
 * Parses a lock. The text must be what `printLock` prints, except for white space between tokens and
 * the order of entries. All problems of one kind are reported together.
 *
 * @param known - of an earlier text, which is mostly the same. Default: none
 */
export function parseLock(text: string, digest: Digest, known?: LockEntries): ParsedLock {
  const parsed = parseEntries(text, digest, known)
  if (parsed.kind === 'fault') return parsed
  const { environment: view, entries } = parsed
  const all = listParts(entries)
  const edited = all.flatMap(({ prompt, isIntact }) => (isIntact ? [] : [prompt]))
  const slugs = edited.map((part) => describePart(part))
  if (slugs.length > 0)
    return { ...faulty({ code: 'LOCK_EDITED', details: { slugs } }), parts: edited }
  const parts = all.map(({ prompt }) => prompt)
  const unsorted = parts.find(
    ({ slug }, at) => compareCodePoints(parts[at - 1]?.slug ?? '', slug) > 0,
  )?.slug
  const lock = { environment: view, parts: sortParts(parts) }
  return { kind: 'lock', lock, entries, unsorted }
}

export function listParts(entries: LockEntries): LockPart[] {
  return [...entries.values()].flatMap(({ parts }) => parts)
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

interface ParsedEntries {
  readonly kind: 'entries'
  readonly environment: Environment
  /** In the order of the text. */
  readonly entries: LockEntries
}

/**
 * Parses a text that is canonical except for white space. The order of entries and their hashes may be wrong.
 *
 * @param known - entries to use instead of equal ones. Default: none
 */
export function parseEntries(
  text: string,
  digest: Digest,
  known?: LockEntries,
): ParsedEntries | FaultyLock {
  return parsePrinted(text.replaceAll('\r\n', '\n'), digest, known) ?? parseFormatted(text, digest)
}

/** @returns `undefined` if the text is not what `printLock` prints */
function parsePrinted(
  text: string,
  digest: Digest,
  known: LockEntries = new Map(),
): ParsedEntries | undefined {
  const split = splitEntries(text)
  if (split === undefined) return undefined
  const entries = new Map<string, LockEntry>()
  const { entry: schema } = formatOf(split.version)
  const parse = (json: string) => v.parse(schema, JSON.parse(json))
  try {
    for (const printed of split.entries) {
      const former = known.get(slugLine(printed))
      const isKnown = former?.printed === printed
      const entry = isKnown ? former : readEntry(parse(`{${printed}}`), digest, split.version)
      if (entry.printed === printed && entry.parts.length > 0)
        entries.set(slugLine(printed), { ...entry, printed })
    }
  } catch {
    // One is no JSON, or has other types.
    return undefined
  }
  // Fewer: one is no entry, or has the slug of another one.
  if (split.entries.length !== entries.size) return undefined
  return { kind: 'entries', environment: split.environment, entries }
}

function slugLine(printed: string): string {
  return printed.slice(0, printed.indexOf('\n'))
}

/** Parses a text that another tool printed, or says what is wrong with it. */
function parseFormatted(text: string, digest: Digest): ParsedEntries | FaultyLock {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    return explainSyntax(text, cause)
  }
  const version = isRecord(json) ? json['lockVersion'] : undefined
  if (isTooNew(version)) return tooNew(version)
  // Keys and types. Their order and form is left to the comparison with the canonical text.
  const known = Number.isInteger(version) && Number(version) > 0 ? Number(version) : LOCK_VERSION
  const { lock: schema } = formatOf(known)
  const result = v.safeParse(schema, json)
  if (!result.success)
    return invalid(findProblems(schema, json).map((problem) => describe(problem, json)))
  const { environment: view, prompts } = result.output
  const problems = [
    ...findDuplicates(prompts.map(({ slug }) => slug)).map((slug) => `duplicate slug ${slug}`),
    ...prompts.flatMap(({ slug, live, staging }) =>
      live === null && staging === undefined ? [`${slug}: neither a live nor a staging part`] : [],
    ),
  ]
  if (problems.length > 0) return invalid(problems)
  const read = prompts.map((entry) => readEntry(entry, digest, known))
  const entries = new Map(read.map((entry) => [slugLine(entry.printed), entry]))
  const canonical = printEntries([...entries.values()], view, known)
  const difference = describeDifference(text, canonical) ?? describeHidingSpace(text)
  if (difference !== undefined) return invalid([difference])
  return { kind: 'entries', environment: view, entries }
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

/** The schemas of a lock with that version. */
function formatOf(version: number) {
  const part = exactObject(
    {
      ...partSettings(settingSchemas(string), version),
      system: lines,
      user: lines,
      join: v.optional(v.pipe(string, v.check(isJoin, 'white space'))),
      source: v.optional(lines),
      held: v.optional(exactObject({ reason: string }, 'unknown key')),
      integrity: string,
    },
    'unknown key',
  )
  const entry = exactObject(
    { slug: string, staging: v.optional(part), live: v.nullable(part) },
    'unknown key',
  )
  const lock = exactObject(
    {
      lockVersion: v.literal(version, `${version}`),
      environment,
      prompts: v.array(entry, 'an array'),
    },
    'unknown key',
  )
  return { part, entry, lock }
}

type Format = ReturnType<typeof formatOf>

function describe({ path, text: problem }: SchemaProblem, lock: unknown): string {
  const [, index] = path
  const slug: unknown = Object(lock).prompts?.[index as number]?.slug
  const entry = printPath(path.slice(0, 2)) + (typeof slug === 'string' ? ` (${slug})` : '')
  return [entry, printPath(path.slice(2)), problem].filter((part) => part !== '').join(': ')
}

function readEntry(
  { slug, live, staging }: v.InferOutput<Format['entry']>,
  digest: Digest,
  version: number,
): LockEntry {
  const pinned = live && readPart({ slug, environment: 'live' }, live, digest, version)
  const staged = staging && readPart({ slug, environment: 'test' }, staging, digest, version)
  return {
    printed: printEntry(slug, { live: pinned?.printed, test: staged?.printed }),
    parts: [pinned, staged].flatMap((read) => read?.part ?? []),
  }
}

function readPart(
  id: PartId,
  { held, join = '', system, user, source, integrity, ...settings }: v.InferOutput<Format['part']>,
  digest: Digest,
  version: number,
): { readonly part: LockPart; readonly printed: string } {
  const texts = { system: joinLines(system), user: joinLines(user) }
  const prompt: PinnedPrompt = {
    ...id,
    ...missingSettings(),
    ...settings,
    ...texts,
    source: source ? joinLines(source) : `${texts.system}${join}${texts.user}`,
    ...(held && { held }),
  }
  const printed = printFields(prompt, version)
  const isIntact = integrityOf(prompt, printed, digest) === integrity
  return { part: { prompt, integrity, isIntact }, printed: printPart(printed, integrity) }
}
