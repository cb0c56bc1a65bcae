import type { Environment, Hold, PinnedPrompt } from '../prompt.ts'
import { type Digest, integrityOf } from './integrity.ts'
import { printBytes, type PrintedEntry, printEntries } from './print-lock.ts'

/** An entry of a lock, its integrity not yet verified. */
export interface LockEntry extends PrintedEntry {
  readonly prompt: PinnedPrompt
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

/** The entries of a lock in the order of its text, and the text that `printLock` prints for them. */
export interface ReadEntries {
  readonly entries: readonly LockEntry[]
  readonly canonical: string
}

/** Reads the entries of a lock. Its form is valid if its text is the canonical one. */
export function readEntries({ environment, prompts }: LockValue): ReadEntries {
  const entries = prompts.map((entry) => {
    const prompt = toPrompt(entry)
    return { prompt, integrity: entry.integrity, bytes: printBytes(prompt) }
  })
  return { entries, canonical: printEntries(entries, environment) }
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
