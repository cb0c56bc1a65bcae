import { sortBySlug } from '../text/order.ts'
import type { Lock, PinnedPrompt } from '../prompt.ts'
import { type Digest, integrityOf } from './integrity.ts'
import { printFields, printPrompt } from './print-prompt.ts'

/** The format this package writes. A newer one is refused and never rewritten. */
export const LOCK_VERSION = 1

/**
 * The hash over a whole lock, in any order of its prompts. Generated files carry it to tell
 * whether they are current.
 */
export function digestLock(lock: Lock, digest: Digest): string {
  const entries = sortBySlug(lock.prompts).map((prompt) => integrityOf(prompt, digest))
  return digest(JSON.stringify([LOCK_VERSION, lock.environment, entries]))
}

/** The lock as the text of its file. The same lock gives the same bytes everywhere. */
export function printLock(lock: Lock, digest: Digest): string {
  const entries = sortBySlug(lock.prompts).map((prompt) => printEntry(prompt, digest))
  const prompts = entries.length === 0 ? '[]' : `[\n${entries.join(',\n')}\n  ]`
  const head = `"lockVersion": ${LOCK_VERSION},\n  "environment": "${lock.environment}"`
  return `{\n  ${head},\n  "prompts": ${prompts}\n}\n`
}

function printEntry(prompt: PinnedPrompt, digest: Digest): string {
  const { held } = prompt
  const own = printPrompt(prompt)
  const bytes = held === undefined ? own : `${own},\n${printFields({ held })}`
  const integrity = held === undefined ? integrityOf(prompt, digest, own) : digest(bytes)
  return `    {\n${bytes},\n${printFields({ integrity })}\n    }`
}
