import { sortBySlug } from '../text/order.ts'
import { type Environment, type Lock, type PinnedPrompt, findJoin, settingsOf } from '../prompt.ts'
import { splitLines } from '../text/lines.ts'
import { escapeInvisible } from '../text/json-string.ts'

/** The format version that this package writes. A newer lock is an error and never overwritten. */
export const LOCK_VERSION = 1

/** Prints a lock as the text of its file. Equal locks give equal bytes. */
export function printLock(lock: Lock, digest: Digest): string {
  const entries = sortBySlug(lock.prompts).map((prompt) => {
    return { prompt, integrity: digest(printBytes(prompt)) }
  })
  return printEntries(entries, lock.environment)
}

/** An entry of a lock, its integrity not yet verified. */
export interface LockEntry {
  readonly prompt: PinnedPrompt
  /** The hash of {@link printBytes}. */
  readonly integrity: string
}

/** Prints a lock with these entries, in this order. */
export function printEntries(entries: readonly LockEntry[], environment: Environment): string {
  const prompts = entries.map(({ prompt, integrity }) => ({ ...fieldsOf(prompt), integrity }))
  return `${printJson({ lockVersion: LOCK_VERSION, environment, prompts })}\n`
}

/**
 * Prints the text that the hash of an entry is over: the lines of its fields and its hold, with the
 * indentation of an entry, which is in an array of an object.
 */
export function printBytes(prompt: PinnedPrompt): string {
  const json = printJson([[fieldsOf(prompt)]])
  return json.slice('[\n  [\n    {\n'.length, -'\n    }\n  ]\n]'.length)
}

function fieldsOf(prompt: PinnedPrompt): object {
  const { system, user, source, held } = prompt
  const join = findJoin(prompt)
  return {
    ...settingsOf(prompt),
    system: splitLines(system),
    user: splitLines(user),
    ...(join === undefined ? { source: splitLines(source) } : { join }),
    held,
  }
}

function printJson(value: object): string {
  return escapeInvisible(JSON.stringify(value, undefined, 2))
}

/** Hashes a text, such as `sha256-…`. Passed in, because core imports nothing from Node. */
export type Digest = (text: string) => string

/** Returns the hash of a prompt itself, without its hold. */
export function integrityOf(prompt: PinnedPrompt, digest: Digest): string {
  return digest(printBytes({ ...prompt, held: undefined }))
}
