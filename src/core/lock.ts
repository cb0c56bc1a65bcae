import { splitLines } from './lines.ts'
import { sortBySlug } from './order.ts'
import { joinOf, type Lock, type PinnedPrompt } from './prompt.ts'
import { quote } from './quote.ts'

/** The format this package writes. A newer one is refused and never rewritten. */
export const LOCK_VERSION = 1

/** Hashes a text, such as `sha256-…`: a port, since core has no cryptography of its own. */
export type Digest = (text: string) => string

/** The hash over everything the lock says of one prompt. */
export function integrityOf(prompt: PinnedPrompt, digest: Digest): string {
  const { slug, folder, model, temperature, version, system, user, source } = prompt
  return digest(JSON.stringify([slug, folder, model, temperature, version, system, user, source]))
}

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
  const entries = sortBySlug(lock.prompts).map((prompt) => printEntry(prompt, digest))
  const prompts = entries.length === 0 ? '[]' : `[\n${entries.join(',\n')}\n  ]`
  return `{\n  "lockVersion": ${LOCK_VERSION},\n  "environment": ${quote(lock.environment)},\n  "prompts": ${prompts}\n}\n`
}

function printEntry(prompt: PinnedPrompt, digest: Digest): string {
  const join = joinOf(prompt)
  const fields = [
    ['slug', quote(prompt.slug)],
    ['folder', quote(prompt.folder)],
    ['model', quote(prompt.model)],
    ['temperature', JSON.stringify(prompt.temperature)],
    ['version', quote(prompt.version)],
    ['system', printLines(prompt.system)],
    ['user', printLines(prompt.user)],
    join === undefined ? ['source', printLines(prompt.source)] : ['join', quote(join)],
    ['integrity', quote(integrityOf(prompt, digest))],
  ]
  return `    {\n${fields.map(([key, value]) => `      "${key}": ${value}`).join(',\n')}\n    }`
}

function printLines(text: string): string {
  const lines = splitLines(text).map((line) => `        ${quote(line)}`)
  return lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n      ]`
}
