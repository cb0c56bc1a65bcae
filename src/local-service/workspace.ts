import { type Lock, pairParts, type PinnedPrompt, settingsOf } from '../core/prompt.ts'
import { indexBySlug } from '../core/text/order.ts'

/** A version of a prompt. */
export interface WorkspaceVersion
  extends
    Pick<PinnedPrompt, 'version' | 'system' | 'user' | 'source'>,
    Partial<WorkspaceSettings> {}

/** What the versions of a prompt share, unless one has its own. */
interface WorkspaceSettings {
  readonly folder: string
  readonly model: string
  readonly temperature: number
}

/** A prompt with its live and staging versions. */
export interface WorkspacePrompt extends WorkspaceSettings {
  readonly slug: string
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

/** Creates a workspace from a lock. A prompt that has only a staging part is served as live, too. */
export function workspaceFromLock(lock: Lock): Workspace {
  const prompts = pairParts(lock).map(({ prompt, staging }): WorkspacePrompt => {
    const live = versionOf(prompt)
    return { slug: prompt.slug, ...live, live, staging: staging && versionOf(staging) }
  })
  return { planStatus: PLAN_STATUS, prompts: indexBySlug(prompts) }
}

function versionOf(pinned: PinnedPrompt): WorkspaceVersion & WorkspaceSettings {
  const { slug: _, temperature, ...settings } = settingsOf(pinned)
  const { system, user, source } = pinned
  return { ...settings, temperature: temperature ?? 0, system, user, source }
}
