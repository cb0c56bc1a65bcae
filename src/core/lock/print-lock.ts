import { sortBySlug } from '../text/order.ts'
import { type Environment, type Lock, type PinnedPrompt, findJoin, settingsOf } from '../prompt.ts'
import { splitLines } from '../text/lines.ts'
import { escapeInvisible } from '../text/json-string.ts'

/** The format version that this package writes. A newer lock is an error and never overwritten. */
export const LOCK_VERSION = 1

/** Returns the hash over a whole lock, independent of the order of its prompts. */
export function digestLock(lock: Lock, digest: Digest): string {
  const entries = sortBySlug(lock.prompts).map((prompt) => integrityOf(prompt, digest))
  return digest(JSON.stringify([LOCK_VERSION, lock.environment, entries]))
}

/** Prints a lock as the text of its file. Equal locks give equal bytes. */
export function printLock(lock: Lock, digest: Digest): string {
  const entries = sortBySlug(lock.prompts).map((prompt) => {
    const bytes = printBytes(prompt)
    return { bytes, integrity: digest(bytes) }
  })
  return printEntries(entries, lock.environment)
}

/** An entry as text, without its hash, and the hash. */
export interface PrintedEntry {
  /** The text that the hash is over: the fields of the prompt and its hold. */
  readonly bytes: string
  readonly integrity: string
}

/** Prints a lock with these entries, in this order. */
export function printEntries(entries: readonly PrintedEntry[], environment: Environment): string {
  const texts = entries.map(
    ({ bytes, integrity }) => `    {\n${bytes},\n${printFields({ integrity })}\n    }`,
  )
  const prompts = texts.length === 0 ? '[]' : `[\n${texts.join(',\n')}\n  ]`
  return `${printOpening(environment)}${prompts}\n}\n`
}

/** Prints the fields of a prompt and its hold. */
export function printBytes(prompt: PinnedPrompt): string {
  const { held } = prompt
  const fields = printPrompt(prompt)
  return held === undefined ? fields : `${fields},\n${printFields({ held })}`
}

/** Prints a lock up to its array of prompts. */
export function printOpening(environment: Environment): string {
  const head = `"lockVersion": ${LOCK_VERSION},\n  "environment": "${environment}"`
  return `{\n  ${head},\n  "prompts": `
}

/**
 * Prints a prompt's own fields for a lock, from the slug to the join or source. The hash is over this
 * text, so it contains no hold.
 */
function printPrompt(prompt: PinnedPrompt): string {
  const join = findJoin(prompt)
  return printFields({
    ...settingsOf(prompt),
    system: splitLines(prompt.system),
    user: splitLines(prompt.user),
    ...(join === undefined ? { source: splitLines(prompt.source) } : { join }),
  })
}

/** Prints keys and values with the indentation of an entry, which is in an array of an object. */
function printFields(fields: object): string {
  const json = escapeInvisible(JSON.stringify([[fields]], undefined, 2))
  return json.slice('[\n  [\n    {\n'.length, -'\n    }\n  ]\n]'.length)
}

/** Hashes a text, such as `sha256-…`. Passed in, because core imports nothing from Node. */
export type Digest = (text: string) => string

/** Returns the hash of a prompt: over its fields as a lock prints them, without its hold. */
export function integrityOf(prompt: PinnedPrompt, digest: Digest): string {
  return digest(printPrompt(prompt))
}
