import {
  type Environment,
  findJoin,
  type Lock,
  type PartId,
  type PinnedPrompt,
  settingsOf,
  sortParts,
} from '../prompt.ts'
import { escapeInvisible, printJsonString } from '../text/json-string.ts'
import { splitLines } from '../text/lines.ts'

/** The format version that this package writes. A newer lock is an error and never overwritten. */
export const LOCK_VERSION = 1

/** The name of a part in the lock. */
export const PART_NAMES: Readonly<Record<Environment, 'live' | 'staging'>> = {
  live: 'live',
  test: 'staging',
}

/** Prints a lock as the text of its file. Equal locks give equal bytes. */
export function printLock({ environment, parts }: Lock, digest: Digest): string {
  const entries = sortParts(parts).map((prompt) => {
    const printed = printFields(prompt)
    return { prompt, printed, integrity: integrityOf(prompt, printed, digest) }
  })
  return printParts(entries, environment)
}

/** A part of a lock, its integrity not yet verified. */
export interface LockPart {
  readonly prompt: PinnedPrompt
  /** What {@link printFields} returns. */
  readonly printed: string
  /** What {@link integrityOf} returns. */
  readonly integrity: string
}

/**
 * Prints a lock with these parts, in this order. The live part is the last one of a prompt, so that a staging
 * part adds and removes lines and changes none.
 */
export function printParts(parts: readonly LockPart[], environment: Environment): string {
  const entries = new Map<string, { live: string; staging?: string }>()
  for (const { prompt, printed, integrity } of parts) {
    const text = `${printed},\n  "integrity": ${printJsonString(integrity)}\n}`
    const entry = entries.get(prompt.slug) ?? { live: 'null' }
    const name = PART_NAMES[prompt.environment]
    entries.set(prompt.slug, { ...entry, [name]: text.replaceAll('\n', '\n      ') })
  }
  const printed = [...entries].map(([slug, { live, staging }]) =>
    [
      `    {\n      "slug": ${printJsonString(slug)},\n`,
      staging === undefined ? '' : `      "staging": ${staging},\n`,
      `      "live": ${live}\n    }`,
    ].join(''),
  )
  const prompts = printed.length === 0 ? '[]' : `[\n${printed.join(',\n')}\n  ]`
  return `{\n  "lockVersion": ${LOCK_VERSION},\n  "environment": "${environment}",\n  "prompts": ${prompts}\n}\n`
}

/** Prints the fields of a part without its integrity, up to the end of the last one. */
export function printFields(prompt: PinnedPrompt): string {
  const { system, user, source, held } = prompt
  const { slug: _, ...settings } = settingsOf(prompt)
  const join = findJoin(prompt)
  const fields = {
    ...settings,
    system: splitLines(system),
    user: splitLines(user),
    ...(join === undefined ? { source: splitLines(source) } : { join }),
    held,
  }
  return escapeInvisible(JSON.stringify(fields, undefined, 2)).slice(0, -'\n}'.length)
}

/**
 * Returns the hash of a part: over the slug, which part it is, its fields and its hold. So a part that moved, a
 * renamed slug and a deleted hold are edits of the lock.
 */
export function integrityOf(
  { slug, environment }: PartId,
  printed: string,
  digest: Digest,
): string {
  return digest(`${environment} ${printJsonString(slug)}\n${printed}`)
}

/** Hashes a text, such as `sha256-…`. Passed in, because core imports nothing from Node. */
export type Digest = (text: string) => string
