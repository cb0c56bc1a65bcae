/** An entry of a lock: the parts of one prompt, with their hashes. */
import * as v from 'valibot'
import { isJoin, type Lock, type PartId, type PinnedPrompt } from '../prompt.ts'
import { exactObject, string } from '../schema.ts'
import { missingSettings, type PartSettings, partSettings, settingSchemas } from '../settings.ts'
import { parseJsonString, printJsonString } from '../text/json-string.ts'
import { groupBySlug } from '../text/order.ts'
import { describeHidingSpace, findDuplicateKey, isSameJson } from './json-difference.ts'
import {
  type Digest,
  integrityOf,
  joinLines,
  LOCK_VERSION,
  PART_NAMES,
  printEntry,
  printFields,
  printPart,
} from './print-lock.ts'

/** What a build has of a prompt: it verifies what it ships. */
export interface Entry {
  readonly slug: string
  /** What the first lines of its parts say, which nothing has verified: the live part, then the staging part. */
  readonly heads: readonly PartHead[]
  /** The same parts, verified. The first call parses them, and throws if they are not as a pull printed them. */
  parts(): readonly PinnedPrompt[]
}

/** What the first lines of a part say. */
export type PartHead = Pick<PinnedPrompt, 'slug' | 'environment' | 'version' | 'folder'>

/** The entries of a lock that is verified. */
export function entriesOf({ parts: all }: Lock): Entry[] {
  return Array.from(groupBySlug(all), ([slug, parts]) => ({
    slug,
    heads: parts,
    parts: () => parts,
  }))
}

export function lockOf(entries: readonly Entry[]): Lock {
  return { parts: entries.flatMap((entry) => entry.parts()) }
}

export interface LockPart {
  readonly prompt: PinnedPrompt
  /** As in the text. */
  readonly integrity: string
  readonly isIntact: boolean
}

// Keys of an entry are indented by six, and those of a part by eight; lines of texts have ten.
const PART = '(?:null$|\\{\\n {8}"version": "(.*)",\\n {8}"folder": "(.*)",\\n)'
const NAMES = `${PART_NAMES.test}|${PART_NAMES.live}`
const FIRST = new RegExp(`^ {6}"slug": "(.*)",\\n {6}"(${NAMES})": ${PART}`)
const LIVE = new RegExp(`\\n() {6}"(${PART_NAMES.live})": ${PART}`)

/**
 * Reads the first lines of an entry and of its parts. Nothing else is looked at.
 *
 * @param printed - what is between the braces
 * @returns `undefined` if they are not as printed
 */
export function headsOf(printed: string): Pick<Entry, 'slug' | 'heads'> | undefined {
  const first = FIRST.exec(printed)
  const slug = readString(first?.[1])
  const isLive = first?.[2] === PART_NAMES.live
  const live = isLive ? first : LIVE.exec(printed)
  if (first === null || live === null || slug === undefined) return undefined
  const pinned = headOf({ slug, environment: 'live' }, live)
  const staged = isLive ? [] : headOf({ slug, environment: 'test' }, first)
  const heads = pinned && staged && [...pinned, ...staged]
  return heads && heads.length > 0 ? { slug, heads } : undefined
}

/** @returns nothing if there is no such part; `undefined` if it does not begin as printed */
function headOf({ slug, environment }: PartId, match: RegExpExecArray): PartHead[] | undefined {
  const { 3: version, 4: folder } = match
  if (version === undefined) return []
  const head = { slug, environment, version: readString(version), folder: readString(folder) }
  return head.version === undefined || head.folder === undefined ? undefined : [head as PartHead]
}

const PLAIN = /^[ !#-[\]-~]*$/

/**
 * Reads a JSON string.
 *
 * @param inner - what is between its quotes
 * @returns `undefined` if it is not as printed
 */
function readString(inner: string | undefined): string | undefined {
  if (inner === undefined || PLAIN.test(inner)) return inner
  const text = parseJsonString(`"${inner}"`)
  return text !== undefined && printJsonString(text) === `"${inner}"` ? text : undefined
}

interface ParsedEntry {
  readonly slug: string
  readonly staging?: ParsedPart | undefined
  readonly live: ParsedPart | null
}

interface ParsedPart extends PartSettings {
  readonly system: readonly string[]
  readonly user: readonly string[]
  readonly join?: string | undefined
  readonly source?: readonly string[] | undefined
  readonly held?: PinnedPrompt['held']
  readonly integrity: string
}

/** Without a schema for each line: a lock of 10,000 prompts has 400,000, and `v.array` copies them. */
const lines = v.custom<string[]>(
  (value) => Array.isArray(value) && value.every((line) => typeof line === 'string'),
  'an array of lines',
)

function createSchema(lockVersion: number): v.GenericSchema<unknown, ParsedEntry> {
  const part = exactObject(
    {
      ...partSettings(settingSchemas(string), lockVersion),
      system: lines,
      user: lines,
      join: v.optional(v.pipe(string, v.check(isJoin, 'white space'))),
      source: v.optional(lines),
      held: v.optional(exactObject({ reason: string }, 'unknown key')),
      integrity: string,
    },
    'unknown key',
  )
  return exactObject(
    { slug: string, staging: v.optional(part), live: v.nullable(part) },
    'unknown key',
  )
}

const SCHEMAS = Array.from({ length: LOCK_VERSION }, (_, index) => createSchema(index + 1))

/** Returns the schema of an entry in a lock of that version, which this package reads. */
export function entrySchema(lockVersion: number): v.GenericSchema<unknown, ParsedEntry> {
  return SCHEMAS[lockVersion - 1] as (typeof SCHEMAS)[number]
}

/**
 * Reads an entry, of which another tool may have printed the lines.
 *
 * @param printed - what is between the braces
 * @returns `undefined` if it differs from what a pull prints in more than white space
 */
export function readParts(
  printed: string,
  digest: Digest,
  version: number,
): readonly LockPart[] | undefined {
  const json = `{${printed}}`
  const read = parseEntry(json, digest, version)
  const isSame =
    read?.printed === printed ||
    (read && isSameJson(json, `{${read.printed}}`) && describeHidingSpace(json) === undefined)
  return isSame ? read?.parts : undefined
}

/**
 * Reads what an entry says, in whatever form: its hashes are over the values.
 *
 * @returns `undefined` if nobody knows which value of a key counts, or it is no entry
 */
export function readValues(
  json: string,
  digest: Digest,
  version: number,
): readonly LockPart[] | undefined {
  const read = parseEntry(json, digest, version)
  return findDuplicateKey(json) === undefined ? read?.parts : undefined
}

function parseEntry(json: string, digest: Digest, version: number): EntryRead | undefined {
  try {
    return readEntry(v.parse(entrySchema(version), JSON.parse(json)), digest, version)
  } catch {
    // It is no JSON, or has other types.
    return undefined
  }
}

interface EntryRead {
  readonly printed: string
  readonly parts: readonly LockPart[]
}

/**
 * Reads an entry and prints it again, so that a caller can compare.
 *
 * @param lockVersion - the format of the text
 */
export function readEntry(
  { slug, live, staging }: ParsedEntry,
  digest: Digest,
  lockVersion: number,
): EntryRead {
  const pinned = live && readPart({ slug, environment: 'live' }, live, digest, lockVersion)
  const staged = staging && readPart({ slug, environment: 'test' }, staging, digest, lockVersion)
  return {
    printed: printEntry(slug, { live: pinned?.printed, test: staged?.printed }),
    parts: [pinned, staged].flatMap((read) => read?.part ?? []),
  }
}

function readPart(
  id: PartId,
  { held, join = '', system, user, source, integrity, ...settings }: ParsedPart,
  digest: Digest,
  lockVersion: number,
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
  const printed = printFields(prompt, lockVersion)
  const isIntact = integrityOf(prompt, printed, digest) === integrity
  return { part: { prompt, integrity, isIntact }, printed: printPart(printed, integrity) }
}
