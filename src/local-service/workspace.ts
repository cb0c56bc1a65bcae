import type { Lock, PinnedPrompt } from '../core/prompt.ts'
import { indexBySlug } from '../core/text/order.ts'

/** A version of a prompt. */
export interface WorkspaceVersion {
  /** Its label, such as `v22`. */
  readonly version: string
  readonly system: string
  /** Empty if there is none. */
  readonly user: string
  /** System and user content concatenated. */
  readonly source: string
}

/** A prompt with its live and staging versions. */
export interface WorkspacePrompt {
  readonly slug: string
  readonly folder: string
  readonly model: string
  readonly temperature: number
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
  const { version, system, user, source, ...rest } = pinned
  return { ...rest, live: { version, system, user, source }, staging: null }
}
