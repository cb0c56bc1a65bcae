import { type Lock, pairParts, type PinnedPrompt } from '../core/prompt.ts'
import { indexBySlug } from '../core/text/order.ts'

/** A version of a prompt, with its settings. */
export type WorkspaceVersion = Omit<PinnedPrompt, 'environment'>

export interface WorkspacePrompt {
  readonly slug: string
  readonly live: WorkspaceVersion
  /** `null` if there is none; test keys then read the live version. */
  readonly staging: WorkspaceVersion | null
}

export interface Workspace {
  readonly planStatus: string
  /** By slug, in the order of the list. */
  readonly prompts: ReadonlyMap<string, WorkspacePrompt>
}

export const PLAN_STATUS = 'active'

/** Creates a workspace from a lock. A prompt that has only a staging part is served as live, too. */
export function workspaceFromLock(lock: Lock): Workspace {
  const prompts = pairParts(lock).map(({ prompt, staging }) => {
    return { slug: prompt.slug, live: prompt, staging }
  })
  return { planStatus: PLAN_STATUS, prompts: indexBySlug(prompts) }
}
