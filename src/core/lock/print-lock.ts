import {
  type Environment,
  findJoin,
  type Lock,
  type PartId,
  type PinnedPrompt,
  sortParts,
} from '../prompt.ts'
import { escapeInvisible, printJsonString } from '../text/json-string.ts'
import { splitLines } from '../text/lines.ts'

/** The format version that this package writes. A newer lock is an error and never overwritten. */
export const LOCK_VERSION = 1

export const PART_NAMES: Readonly<Record<Environment, 'live' | 'staging'>> = {
  live: 'live',
  test: 'staging',
}

/** Prints a lock as the text of its file. Equal locks give equal bytes. */
export function printLock({ environment, parts }: Lock, digest: Digest): string {
  const entries = new Map<string, PrintedParts>()
  for (const prompt of sortParts(parts)) {
    const fields = printFields(prompt)
    const part = printPart(fields, integrityOf(prompt, fields, digest))
    entries.set(prompt.slug, { ...entries.get(prompt.slug), [prompt.environment]: part })
  }
  const printed = [...entries].map(([slug, inEntry]) => ({ printed: printEntry(slug, inEntry) }))
  return printEntries(printed, environment)
}

const BETWEEN = '\n    },\n    {\n'

/** Prints a lock with these entries, in this order. */
export function printEntries(
  entries: readonly { readonly printed: string }[],
  environment: Environment,
): string {
  const start = `{\n  "lockVersion": ${LOCK_VERSION},\n  "environment": "${environment}",\n  "prompts": [`
  if (entries.length === 0) return `${start}]\n}\n`
  const members = entries.map(({ printed }) => printed).join(BETWEEN)
  return `${start}\n    {\n${members}\n    }\n  ]\n}\n`
}

/**
 * Splits what {@link printEntries} printed.
 *
 * @returns `undefined` for another text, and for one without entries
 */
export function splitEntries(
  text: string,
): { readonly environment: Environment; readonly entries: readonly string[] } | undefined {
  for (const environment of ['live', 'test'] as const) {
    const [start = '', end = ''] = printEntries([{ printed: '\0' }], environment).split('\0')
    if (text.startsWith(start) && text.endsWith(end))
      return { environment, entries: text.slice(start.length, -end.length).split(BETWEEN) }
  }
  return undefined
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
export function printFields(prompt: PinnedPrompt): string {
  const { folder, model, temperature, version, held } = prompt
  const [system, user] = [splitLines(prompt.system), splitLines(prompt.user)]
  const join = findJoin(prompt)
  const source = join === undefined ? splitLines(prompt.source) : undefined
  const fields = { folder, model, temperature, version, system, user, source, join, held }
  return escapeInvisible(JSON.stringify(fields, undefined, 2)).slice(0, -'\n}'.length)
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
