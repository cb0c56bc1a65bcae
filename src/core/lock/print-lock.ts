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
  const entries = sortBySlug(lock.prompts).map((prompt) => printEntry(prompt, digest))
  const prompts = entries.length === 0 ? '[]' : `[\n${entries.join(',\n')}\n  ]`
  return `${printOpening(lock.environment)}${prompts}\n}\n`
}

/** Prints a lock up to its array of prompts. */
export function printOpening(environment: Environment): string {
  const head = `"lockVersion": ${LOCK_VERSION},\n  "environment": "${environment}"`
  return `{\n  ${head},\n  "prompts": `
}

function printEntry(prompt: PinnedPrompt, digest: Digest): string {
  const { held } = prompt
  const own = printPrompt(prompt)
  const bytes = held === undefined ? own : `${own},\n${printFields({ held })}`
  const integrity = held === undefined ? integrityOf(prompt, digest, own) : digest(bytes)
  return `    {\n${bytes},\n${printFields({ integrity })}\n    }`
}
