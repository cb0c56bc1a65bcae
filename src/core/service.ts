import type { Environment, PinnedPrompt, PromptSettings } from './prompt.ts'

/** One entry of the service's list. */
export interface PromptSummary {
  readonly slug: string
  readonly folder: string
  readonly model: string
  readonly liveVersion: string
  /** `null` when there is none. */
  readonly stagingVersion: string | null
}

/** The response to `GET /api/v1/prompts`: every prompt of the workspace. */
export interface PromptList {
  readonly prompts: readonly PromptSummary[]
  readonly planStatus: string
}

/** The response to `GET /api/v1/prompts/{slug}`. */
export interface ServedPrompt extends PromptSettings {
  readonly source: string
  readonly systemSource: string
  readonly userSource: string
  readonly environment: Environment
}

/** The hosted service with its two read operations. */
export interface PromptService {
  /** The environment that the key reads. */
  readonly environment: Environment
  list(): Promise<PromptList>
  /** @returns `undefined` when the workspace has no prompt with that slug (404) */
  get(slug: string): Promise<PinnedPrompt | undefined>
  /** Aborts pending requests and closes the connections. */
  close(): Promise<void>
}

/** Returns the label of the version that a key of this environment reads. */
export function servedVersion(entry: PromptSummary, environment: Environment): string {
  return environment === 'test' ? (entry.stagingVersion ?? entry.liveVersion) : entry.liveVersion
}
