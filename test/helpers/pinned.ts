import { printLock } from '../../src/core/lock/print-lock.ts'
import { parseLock } from '../../src/core/lock/parse-lock.ts'
import { type Lock, type PinnedPrompt, sortParts } from '../../src/core/prompt.ts'
import { missingSettings } from '../../src/core/settings.ts'
import { sha256 } from '../../src/fs/files.ts'

/** A lock as it is printed to its file. */
export function lockText(lock: Lock): string {
  return printLock(lock, sha256)
}

/** The lock of a text that must be one. */
export function parsedLock(text: string): Lock {
  const parsed = parseLock(text, sha256)
  if (parsed.kind === 'fault') throw new Error(JSON.stringify(parsed.fault))
  return parsed.lock
}

/** A complete live part of a lock with the given fields. Its source is joined with a blank line. */
export function pinned(fields: Partial<PinnedPrompt> = {}): PinnedPrompt {
  const { system = 'Be kind.', user = '' } = fields
  return {
    ...missingSettings(),
    environment: 'live',
    slug: 'support-triage',
    version: 'v22',
    folder: 'support',
    model: 'gpt-5',
    temperature: 0.2,
    system,
    user,
    source: [system, user].filter((text) => text !== '').join('\n\n'),
    ...fields,
  }
}

/** The parts of a lock, by the fields that matter. */
export interface GivenLock {
  readonly live?: readonly Partial<PinnedPrompt>[]
  readonly staging?: readonly Partial<PinnedPrompt>[]
}

export function lockOf({ live = [], staging = [] }: GivenLock): Lock {
  const staged = staging.map((fields) => pinned({ ...fields, environment: 'test' }))
  return { parts: sortParts([...live.map(pinned), ...staged]) }
}

export function liveLock(...live: readonly Partial<PinnedPrompt>[]): Lock {
  return lockOf({ live })
}

/**
 * Parts of locks in words: `a1` is version v1 of the prompt `a`, `a*2` is version v2 of its staging part, and
 * `a1!` is held.
 */
export function partsOf(words: string): PinnedPrompt[] {
  return words.split(' ').flatMap((word) => {
    const [, slug, staged, number, mark] = /^(\w)(\*?)(\d)(!?)$/.exec(word) ?? []
    const held = mark === '!' && { held: { reason: 'Legal' } }
    const environment = staged === '*' ? 'test' : 'live'
    return slug ? pinned({ slug, environment, version: `v${number}`, ...held }) : []
  })
}
