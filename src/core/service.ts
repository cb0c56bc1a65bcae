import type { Environment } from './prompt.ts'

/** One entry of the service's list. */
export interface PromptSummary {
  readonly slug: string
  readonly folder: string
  readonly model: string
  readonly liveVersion: string
  /** `null` when there is none. */
  readonly stagingVersion: string | null
}

/** The service's answer to `GET /api/v1/prompts`: every prompt of the workspace. */
export interface PromptList {
  readonly prompts: readonly PromptSummary[]
  readonly planStatus: string
}

/** The service's answer to `GET /api/v1/prompts/{slug}`. */
export interface ServedPrompt {
  readonly slug: string
  readonly folder: string
  readonly model: string
  readonly temperature: number
  readonly version: string
  readonly source: string
  readonly systemSource: string
  readonly userSource: string
  readonly environment: Environment
}

/** The port to the hosted service: its two read operations. */
export interface PromptService {
  /** What the key serves. */
  readonly environment: Environment
  list(): Promise<PromptList>
  /** @returns `undefined` when the workspace has no prompt with that slug (404) */
  get(slug: string): Promise<ServedPrompt | undefined>
  /** Aborts what is in flight and closes the connections. */
  close(): Promise<void>
}

/** The label of the version that a key of this environment is served for a listed prompt. */
export function servedVersion(entry: PromptSummary, environment: Environment): string {
  return environment === 'test' ? (entry.stagingVersion ?? entry.liveVersion) : entry.liveVersion
}
