import type { LockSource } from '../../src/core/parse-lock.ts'
import type { Lock, PinnedPrompt } from '../../src/core/prompt.ts'

/** What errors call a lock that no file holds. */
export const LOCK_SOURCE: LockSource = { path: 'prompts.lock.json', workspace: 'prompts' }

/** A prompt of a lock: a whole one, but for the given fields. Its source joins by a blank line. */
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
