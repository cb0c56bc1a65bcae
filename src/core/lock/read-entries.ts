import type { Environment, Hold, PinnedPrompt } from '../prompt.ts'
import { escapeInvisible } from '../text/json-string.ts'
import { type Digest, integrityOf } from './integrity.ts'

/** An entry of a lock, its integrity not yet verified. */
export interface LockEntry {
  readonly prompt: PinnedPrompt
  /** The hash in the lock. */
  readonly integrity: string
  /** The text that the hash is over: the printed entry without `integrity`. */
  readonly bytes: string
}

/** The JSON value of a lock. */
export interface LockValue {
  readonly environment: Environment
  readonly prompts: readonly EntryValue[]
}

interface EntryValue extends Omit<PinnedPrompt, 'system' | 'user' | 'source' | 'held'> {
  readonly system: readonly string[]
  readonly user: readonly string[]
  readonly join?: string
  readonly source?: readonly string[]
  readonly held?: Hold
  readonly integrity: string
}

/** Prints a JSON value in canonical form, which is what `printLock` prints for a valid lock. */
export function printCanonical(value: unknown): string {
  return `${escapeInvisible(JSON.stringify(value, undefined, 2))}\n`
}

/**
 * Returns the entries of a lock in the order of its text.
 *
 * @param canonical - the result of {@link printCanonical} for the value. Its strings contain no raw line
 *   ends, so keys can be found at the beginning of lines.
 */
export function readEntries({ prompts }: LockValue, canonical: string): LockEntry[] {
  let at = 0
  return prompts.map((entry) => {
    const start = canonical.indexOf('\n      "slug": ', at) + 1
    at = canonical.indexOf(',\n      "integrity": ', start)
    return {
      prompt: toPrompt(entry),
      integrity: entry.integrity,
      bytes: canonical.slice(start, at),
    }
  })
}

function toPrompt(entry: EntryValue): PinnedPrompt {
  const { slug, folder, model, temperature, version, held } = entry
  const [system, user] = [entry.system.join(''), entry.user.join('')]
  const source = entry.source?.join('') ?? `${system}${entry.join ?? ''}${user}`
  const prompt = { slug, folder, model, temperature, version, system, user, source }
  return held === undefined ? prompt : { ...prompt, held }
}

/** Whether the hash of an entry matches its `integrity`. */
export function isIntact({ prompt, integrity, bytes }: LockEntry, digest: Digest): boolean {
  const actual = prompt.held === undefined ? integrityOf(prompt, digest, bytes) : digest(bytes)
  return actual === integrity
}
