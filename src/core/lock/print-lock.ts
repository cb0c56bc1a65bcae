import { sortBySlug } from '../text/order.ts'
import type { Environment, Lock, PinnedPrompt } from '../prompt.ts'
import { type Digest, integrityOf } from './integrity.ts'
import { printFields, printPrompt } from './print-prompt.ts'

/** The format version that this package writes. A newer lock is an error and never overwritten. */
export const LOCK_VERSION = 1

/**
 * Returns the hash over a whole lock, independent of the order of its prompts.
 */
export function digestLock(lock: Lock, digest: Digest): string {
  const entries = sortBySlug(lock.prompts).map((prompt) => integrityOf(prompt, digest))
  return digest(JSON.stringify([LOCK_VERSION, lock.environment, entries]))
}

/** Prints a lock as the text of its file. Equal locks give equal bytes. */
export function printLock(lock: Lock, digest: Digest): string {
  const entries = sortBySlug(lock.prompts).map((prompt) => {
    const bytes = printBytes(prompt)
    const isHeld = prompt.held !== undefined
    return { bytes, integrity: isHeld ? digest(bytes) : integrityOf(prompt, digest, bytes) }
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
  const own = printPrompt(prompt)
  return held === undefined ? own : `${own},\n${printFields({ held })}`
}

/** Prints a lock up to its array of prompts. */
export function printOpening(environment: Environment): string {
  const head = `"lockVersion": ${LOCK_VERSION},\n  "environment": "${environment}"`
  return `{\n  ${head},\n  "prompts": `
}
