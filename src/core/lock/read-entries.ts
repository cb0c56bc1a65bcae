import type { Environment, Hold, PinnedPrompt } from '../prompt.ts'
import { escapeInvisible } from '../text/json-string.ts'
import { type Digest, integrityOf } from './integrity.ts'

/** An entry of a lock, its integrity not yet verified. */
export interface LockEntry {
  readonly prompt: PinnedPrompt
  /** As it is written in the lock. */
  readonly integrity: string
  /** What the integrity is over: the entry as printed, without the integrity. */
  readonly bytes: string
}

/** The value of a lock's JSON. */
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

/** The canonical text of a JSON value: what `printLock` prints, for a lock without problems. */
export function printCanonical(value: unknown): string {
  return `${escapeInvisible(JSON.stringify(value, undefined, 2))}\n`
}

/**
 * The entries of a lock in the order of its text.
 *
 * @param canonical - what {@link printCanonical} gives for the value. No string in it has a raw line end,
 *   so that lines are found by how they begin.
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

/** Whether an entry has the integrity that is written in it. */
export function isIntact({ prompt, integrity, bytes }: LockEntry, digest: Digest): boolean {
  const actual = prompt.held === undefined ? integrityOf(prompt, digest, bytes) : digest(bytes)
  return actual === integrity
}
