import type { Lock, PinnedPrompt } from '../../core/prompt.ts'
import { assertKnownSlugs } from '../../errors/assert-known-slugs.ts'

/**
 * A lock with held prompts: no pull changes them.
 *
 * @param reason - Default: the reason that a prompt already has, or none
 * @throws PromptsError SLUG_UNKNOWN for slugs that the lock does not have
 */
export function holdPrompts(
  lock: Lock,
  slugs: readonly string[],
  reason: string | undefined,
): Lock {
  return change(lock, slugs, (prompt) => ({
    ...prompt,
    held: { reason: reason ?? prompt.held?.reason ?? '' },
  }))
}

/**
 * A lock with prompts that the next pull updates again.
 *
 * @throws PromptsError SLUG_UNKNOWN for slugs that the lock does not have
 */
export function releasePrompts(lock: Lock, slugs: readonly string[]): Lock {
  return change(lock, slugs, (prompt) => ({ ...prompt, held: undefined }))
}

function change(
  { environment, prompts }: Lock,
  slugs: readonly string[],
  edit: (prompt: PinnedPrompt) => PinnedPrompt,
): Lock {
  assertKnownSlugs(slugs, { where: 'The lock', found: prompts })
  return {
    environment,
    prompts: prompts.map((prompt) => (slugs.includes(prompt.slug) ? edit(prompt) : prompt)),
  }
}
