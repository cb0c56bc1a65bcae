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
  const printed = sortParts(parts).map((prompt) => {
    const fields = fieldsOf(prompt)
    return { prompt, fields, integrity: integrityOf(prompt, fields, digest) }
  })
  return printParts(printed, environment)
}

/** A part of a lock, its integrity not yet verified. */
export interface LockPart {
  readonly prompt: PinnedPrompt
  readonly fields: PartFields
  readonly integrity: string
}

/** The fields of a part in the lock, in their order, without its integrity. */
export type PartFields = Readonly<Record<string, unknown>>

/**
 * Prints a lock with these parts, in this order. The live part is the last one of a prompt, so that a staging
 * part adds and removes lines and changes none.
 */
export function printParts(parts: readonly LockPart[], environment: Environment): string {
  const entries = new Map<string, object>()
  for (const { prompt, fields, integrity } of parts) {
    const { slug } = prompt
    const entry = entries.get(slug) ?? { slug, staging: undefined, live: null }
    entries.set(slug, { ...entry, [PART_NAMES[prompt.environment]]: { ...fields, integrity } })
  }
  const lock = { lockVersion: LOCK_VERSION, environment, prompts: [...entries.values()] }
  return `${print(lock)}\n`
}

/**
 * Returns the fields of a part.
 *
 * @param lines - of its system and user text, if they are split already
 */
export function fieldsOf(
  prompt: PinnedPrompt,
  lines: Readonly<Record<'system' | 'user', readonly string[]>> = {
    system: splitLines(prompt.system),
    user: splitLines(prompt.user),
  },
): PartFields {
  const { folder, model, temperature, version, source, held } = prompt
  const join = findJoin(prompt)
  return {
    folder,
    model,
    temperature,
    version,
    system: lines.system,
    user: lines.user,
    ...(join === undefined ? { source: splitLines(source) } : { join }),
    held,
  }
}

/**
 * Returns the hash of a part: over the slug, which part it is, its fields and its hold. So a part that
 * moved, a renamed slug and a deleted hold are edits of the lock.
 */
export function integrityOf(
  { slug, environment }: PartId,
  fields: PartFields,
  digest: Digest,
): string {
  const printed = print(fields).slice(0, -'\n}'.length)
  return digest(`${environment} ${printJsonString(slug)}\n${printed}`)
}

function print(value: object): string {
  return escapeInvisible(JSON.stringify(value, undefined, 2))
}

/** Hashes a text, such as `sha256-…`. Passed in, because core imports nothing from Node. */
export type Digest = (text: string) => string
