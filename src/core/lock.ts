import { type Digest, integrityOf } from './integrity.ts'
import { splitLines } from './lines.ts'
import { sortBySlug } from './order.ts'
import { joinOf, type Lock, type PinnedPrompt } from './prompt.ts'
import { escapeInvisible } from './quote.ts'

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

/**
 * The lock as the text of its file: JSON with two spaces, LF, keys and prompts in a fixed order, a
 * trailing newline (DESIGN section 5). The same lock gives the same bytes everywhere.
 */
export function printLock(lock: Lock, digest: Digest): string {
  const { environment } = lock
  const prompts = sortBySlug(lock.prompts).map((prompt) => entryOf(prompt, digest))
  const json = JSON.stringify({ lockVersion: LOCK_VERSION, environment, prompts }, undefined, 2)
  return `${escapeInvisible(json)}\n`
}

/** One entry as it stands in the file. */
function entryOf(prompt: PinnedPrompt, digest: Digest): object {
  const { slug, folder, model, temperature, version, system, user, source } = prompt
  const join = joinOf(prompt)
  return {
    slug,
    folder,
    model,
    temperature,
    version,
    system: splitLines(system),
    user: splitLines(user),
    ...(join === undefined ? { source: splitLines(source) } : { join }),
    integrity: integrityOf(prompt, digest),
  }
}
