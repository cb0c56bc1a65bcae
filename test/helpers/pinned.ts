import type { Digest } from '../../src/core/lock/print-lock.ts'
import { parseLock } from '../../src/core/lock/parse-lock.ts'
import type { Lock, PinnedPrompt } from '../../src/core/prompt.ts'
import { sha256 } from '../../src/fs/files.ts'

/** The lock of a text that must be one. */
export function parsedLock(text: string, digest: Digest = sha256): Lock {
  const parsed = parseLock(text, digest)
  if (parsed.kind === 'fault') throw new Error(JSON.stringify(parsed.fault))
  return parsed.lock
}

/** A complete prompt of a lock with the given fields. Its source is joined with a blank line. */
export function pinned(fields: Partial<PinnedPrompt> = {}): PinnedPrompt {
  const { system = 'Be kind.', user = '' } = fields
  return {
    slug: 'support-triage',
    folder: 'support',
    model: 'gpt-5',
    temperature: 0.2,
    version: 'v22',
    system,
    user,
    source: [system, user].filter((text) => text !== '').join('\n\n'),
    ...fields,
  }
}

/** A lock of the live environment, of prompts given by the fields that matter. */
export function liveLock(...prompts: readonly Partial<PinnedPrompt>[]): Lock {
  return { environment: 'live', prompts: prompts.map(pinned) }
}

/** The same of the test environment. */
export function testLock(...prompts: readonly Partial<PinnedPrompt>[]): Lock {
  return { environment: 'test', prompts: prompts.map(pinned) }
}
