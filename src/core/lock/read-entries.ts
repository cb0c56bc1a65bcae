import type { Environment, Hold, PinnedPrompt } from '../prompt.ts'
import { escapeInvisible } from '../text/json-string.ts'
import { type Digest, integrityOf } from './integrity.ts'
import { LOCK_VERSION } from './print-lock.ts'
import { lockFields } from './print-prompt.ts'

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

/** Prints a JSON value in the form of a lock. */
export function printCanonical(value: unknown): string {
  return `${escapeInvisible(JSON.stringify(value, undefined, 2))}\n`
}

/** The entries of a lock in the order of its text, and the text that `printLock` prints for them. */
export interface ReadEntries {
  readonly entries: readonly LockEntry[]
  readonly canonical: string
}

/** Reads the entries of a lock. Its form is valid if its text is the canonical one. */
export function readEntries(value: LockValue): ReadEntries {
  const read = value.prompts.map((entry) => ({
    prompt: toPrompt(entry),
    integrity: entry.integrity,
  }))
  const canonical = printEntries(read, value)
  // Its strings contain no raw line ends, so keys are found at the beginning of lines.
  let at = 0
  const entries = read.map((entry) => {
    const start = canonical.indexOf('\n      "slug": ', at) + 1
    at = canonical.indexOf(',\n      "integrity": ', start)
    return { ...entry, bytes: canonical.slice(start, at) }
  })
  return { entries, canonical }
}

function printEntries(
  read: readonly Pick<LockEntry, 'prompt' | 'integrity'>[],
  { environment }: LockValue,
): string {
  return printCanonical({
    lockVersion: LOCK_VERSION,
    environment,
    prompts: read.map(({ prompt, integrity }) => ({
      ...lockFields(prompt),
      held: prompt.held,
      integrity,
    })),
  })
}

function toPrompt(entry: EntryValue): PinnedPrompt {
  const { slug, folder, model, temperature, version, held } = entry
  const [system, user] = [entry.system.join(''), entry.user.join('')]
  const source = entry.source?.join('') ?? `${system}${entry.join ?? ''}${user}`
  const prompt = { slug, folder, model, temperature, version, system, user, source }
  return held === undefined ? prompt : { ...prompt, held: { reason: held.reason } }
}

/** Whether the hash of an entry matches its `integrity`. */
export function isIntact({ prompt, integrity, bytes }: LockEntry, digest: Digest): boolean {
  const actual = prompt.held === undefined ? integrityOf(prompt, digest, bytes) : digest(bytes)
  return actual === integrity
}
