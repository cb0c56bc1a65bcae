import { type Lock, type PinnedPrompt, type PromptSettings, settingsOf } from '../core/prompt.ts'
import { indexBySlug } from '../core/text/order.ts'

/** A version of a prompt. */
export type WorkspaceVersion = Pick<PinnedPrompt, 'version' | 'system' | 'user' | 'source'>

/** A prompt with its live and staging versions. */
export interface WorkspacePrompt extends Omit<PromptSettings, 'version'> {
  readonly live: WorkspaceVersion
  /** `null` if there is none; test keys then read the live version. */
  readonly staging: WorkspaceVersion | null
}

/** The data of the local service. */
export interface Workspace {
  readonly planStatus: string
  /** By slug, in the order of the list. */
  readonly prompts: ReadonlyMap<string, WorkspacePrompt>
}

/** The plan status of a workspace that sets none. */
export const PLAN_STATUS = 'active'

/**
 * Creates a workspace from a lock. The pinned version of each prompt is its live version, so both keys
 * read the pinned text.
 */
export function workspaceFromLock(lock: Lock): Workspace {
  return { planStatus: PLAN_STATUS, prompts: indexBySlug(lock.prompts.map(fromPinned)) }
}

function fromPinned(pinned: PinnedPrompt): WorkspacePrompt {
  const { system, user, source } = pinned
  const { version, ...settings } = settingsOf(pinned)
  return { ...settings, live: { version, system, user, source }, staging: null }
}
