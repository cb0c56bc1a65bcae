import type { PromptChange } from './compare.ts'
import { sortBySlug } from './text/order.ts'
import type { PinnedPrompt } from './prompt.ts'

/** Returns the prompts of a lock after some changes, sorted by slug. Other prompts stay as they are. */
export function applyChanges(
  before: readonly PinnedPrompt[],
  changes: readonly PromptChange[],
): PinnedPrompt[] {
  const prompts = new Map(before.map((prompt) => [prompt.slug, prompt]))
  for (const change of changes) {
    if (change.kind === 'removed') prompts.delete(change.slug)
    else prompts.set(change.slug, change.after)
  }
  return sortBySlug(prompts.values())
}
