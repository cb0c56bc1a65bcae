import type { Environment } from '../core/prompt.ts'

/**
 * Another prompt service, read by two functions. For `prompts.config.*` only. Nothing of it is called outside of a
 * read: builds, checks and `register` from a lock need neither its secrets nor a network.
 */
export interface CustomService {
  /** For messages, such as `Langfuse`. */
  readonly name: string
  /**
   * Names of the variables that no bundle, lock, message or page may contain. Without one of them, a read fails
   * with KEY_MISSING.
   */
  readonly secrets: readonly string[]
  /** Returns every prompt of the workspace. */
  list(context: ServiceContext): Promise<readonly CustomSummary[]> | readonly CustomSummary[]
  /**
   * Returns one version of a prompt: `live` if it has a live version, `test` only if the list has a staging
   * version. What it throws is reported with the slug, and that of all prompts together.
   *
   * @returns `null` if the workspace has no such prompt any more
   */
  get(slug: string, version: RequestedVersion): Promise<CustomPrompt | null> | CustomPrompt | null
}

/** What both functions get. */
export interface ServiceContext {
  /** The environment of the process, and the variables of the project's env files. */
  readonly env: Readonly<Record<string, string | undefined>>
  /**
   * Sends a request and returns the JSON of the answer. It has time limits, retries and a maximum size, uses
   * proxies, follows no redirect, and sends `http:` only to this machine. It rejects with an error that has the
   * `status` of the answer, if there was one.
   */
  readonly fetchJson: (url: string, request?: JsonRequest) => Promise<unknown>
  /** Aborted when the command is. */
  readonly signal: AbortSignal
}

/** A request of {@link ServiceContext.fetchJson}. */
export interface JsonRequest {
  /** @default GET */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /**
   * Whether it may be sent again after a failure.
   * @default true for GET
   */
  readonly retry?: boolean
}

/** A version that {@link CustomService.get} is asked for. */
export interface RequestedVersion extends ServiceContext {
  readonly environment: Environment
  /** Its label in the list. */
  readonly version: string
}

/** One prompt of the list. */
export interface CustomSummary {
  /** At most 1,000 characters, as all names and labels. */
  readonly slug: string
  /** @default '' */
  readonly folder?: string | null
  /** A hint. Default: that of the prompt. */
  readonly model?: string | null
  /** Label of the live version; `null` if the prompt has only a staging version. */
  readonly liveVersion: string | null
  /** Label of the staging version, if there is one. */
  readonly stagingVersion?: string | null
}

/** One version of a prompt. */
export interface CustomPrompt {
  /** Its label. */
  readonly version: string
  /** At most 10 MB, as the user text. */
  readonly systemSource: string
  readonly userSource: string
  /**
   * System and user text together.
   * @default both, joined by a blank line
   */
  readonly source?: string | null
  /** @default that of the list, or none */
  readonly model?: string | null
  /** @default none */
  readonly temperature?: number | null
}
