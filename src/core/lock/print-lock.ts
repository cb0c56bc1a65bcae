import {
  type Environment,
  findJoin,
  type Lock,
  type PartId,
  type PinnedPrompt,
  sortParts,
} from '../prompt.ts'
import { partSettings, SETTINGS } from '../settings.ts'
import { escapeInvisible, printJsonString } from '../text/json-string.ts'

/** The format that this package writes. It reads the earlier ones; a newer lock is an error and never overwritten. */
export const LOCK_VERSION: number = Math.max(...Object.values(SETTINGS).map(({ since }) => since))

export const PART_NAMES: Readonly<Record<Environment, 'live' | 'staging'>> = {
  live: 'live',
  test: 'staging',
}

/** Prints a lock as the text of its file. Equal locks give equal bytes. */
export function printLock({ parts }: Lock, digest: Digest): string {
  const entries = new Map<string, PrintedParts>()
  for (const prompt of sortParts(parts)) {
    const fields = printFields(prompt)
    const part = printPart(fields, integrityOf(prompt, fields, digest))
    entries.set(prompt.slug, { ...entries.get(prompt.slug), [prompt.environment]: part })
  }
  const printed = Array.from(entries, ([slug, inEntry]) => printEntry(slug, inEntry))
  return printEntries(printed)
}

const BETWEEN = '\n    },\n    {\n'

/** Prints a lock with these entries, in this order, each as {@link printEntry} prints it. */
export function printEntries(
  entries: readonly string[],
  lockVersion: number = LOCK_VERSION,
): string {
  const start = `{\n  "lockVersion": ${lockVersion},\n  "prompts": [`
  if (entries.length === 0) return `${start}]\n}\n`
  return `${start}\n    {\n${entries.join(BETWEEN)}\n    }\n  ]\n}\n`
}

/**
 * Splits what {@link printEntries} printed.
 *
 * @returns `undefined` for another text
 */
export function splitEntries(text: string): SplitLock | undefined {
  const version = Number(/^\{\n  "lockVersion": ([1-9]\d*),/.exec(text)?.[1])
  if (version > LOCK_VERSION) return undefined
  if (text === printEntries([], version)) return { version, entries: [] }
  const lock = printEntries(['\0'], version)
  const at = lock.indexOf('\0')
  const [start, end] = [lock.slice(0, at), lock.slice(at + 1)]
  if (!text.startsWith(start) || !text.endsWith(end)) return undefined
  const entries = text.slice(start.length, -end.length).split(BETWEEN)
  // With other white space between them, two entries would be one.
  return text.match(SLUG_KEY)?.length === entries.length ? { version, entries } : undefined
}

/** The key of an entry's slug. In a text, its quotes would be escaped. */
const SLUG_KEY = /"slug"\s*:/g

interface SplitLock {
  readonly version: number
  readonly entries: readonly string[]
}

/** The parts of an entry that are there, as {@link printPart} prints them. */
type PrintedParts = { readonly [Name in Environment]?: string | undefined }

/**
 * Prints what an entry has between its braces. Its live part is the last one, so that a staging part adds and
 * removes lines and changes none.
 */
export function printEntry(slug: string, { live = 'null', test }: PrintedParts): string {
  const staging = test === undefined ? '' : `"${PART_NAMES.test}": ${test},\n`
  const members = `"slug": ${printJsonString(slug)},\n${staging}"${PART_NAMES.live}": ${live}`
  return `      ${members.replaceAll('\n', '\n      ')}`
}

/** @param fields - as {@link printFields} prints them */
export function printPart(fields: string, integrity: string): string {
  return `${fields},\n  "integrity": ${printJsonString(integrity)}\n}`
}

/** Prints the fields of a part as JSON, up to its integrity, which follows. */
export function printFields(prompt: PinnedPrompt, lockVersion: number = LOCK_VERSION): string {
  const { held } = prompt
  const [system, user] = [splitLines(prompt.system), splitLines(prompt.user)]
  const join = findJoin(prompt)
  const source = join === undefined ? splitLines(prompt.source) : undefined
  const fields = { ...partSettings(prompt, lockVersion), system, user, source, join, held }
  return escapeInvisible(JSON.stringify(fields, undefined, 2)).slice(0, -'\n}'.length)
}

/**
 * Splits a text into lines without their line feeds. Each line is followed by another element, and the empty
 * text has none: so git's diff of a lock has exactly the lines that changed, the last one included.
 */
export function splitLines(text: string): string[] {
  return text === '' ? [] : `${text}\n`.split('\n')
}

export function joinLines(lines: readonly string[]): string {
  return lines.slice(0, -1).join('\n')
}

/**
 * Returns the hash of a part: over the slug, which part it is, its fields and its hold. So a part that
 * moved, a renamed slug and a deleted hold are edits of the lock.
 *
 * @param fields - as {@link printFields} prints them
 */
export function integrityOf({ slug, environment }: PartId, fields: string, digest: Digest): string {
  return digest(`${environment} ${printJsonString(slug)}\n${fields}`)
}

/** Hashes a text, such as `sha256-…`. Passed in, because core imports nothing from Node. */
export type Digest = (text: string) => string
