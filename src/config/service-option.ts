import type { Environment } from '../core/prompt.ts'

/**
 * Another prompt service, for `prompts.config.*` only. Nothing of it is called outside a read: builds,
 * checks and `register` from a lock need neither its secrets nor a network.
 */
export interface CustomService {
  /** For messages, such as `Langfuse`. */
  readonly name: string
  /**
   * Names of the variables that no bundle, lock, message or page may contain. A read fails with
   * KEY_MISSING if one is not set.
   */
  readonly secrets: readonly string[]
  /** Returns every prompt of the workspace. */
  list(context: ServiceContext): Promise<readonly CustomSummary[]>
  /**
   * Returns one version of a prompt. What it throws is reported with the slug, that of all prompts together.
   *
   * @returns `null` if the prompt does not exist any more
   */
  get(slug: string, context: VersionContext): Promise<CustomPrompt | null>
}

/** What both functions receive. */
export interface ServiceContext {
  /** The environment of the process, and the variables of the project's env files. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly fetchJson: FetchJson
  /** Aborted when the command is, or when the function takes too long. */
  readonly signal: AppAbortSignal
}

/** The `AbortSignal` of the app, which may have neither the types of Node nor those of browsers. */
type AppAbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : { readonly aborted: boolean }

/**
 * Sends a request and returns the JSON of the response. It has time limits, retries and a maximum size, uses
 * proxies, follows no redirect, and sends `http:` only to this machine. It rejects with an error that has the
 * `status` of the response, if there was one.
 */
export type FetchJson = (
  url: string,
  request?: {
    /** @default GET */
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    /**
     * Whether it may be sent again after a failure.
     * @default true for GET
     */
    readonly retry?: boolean
  },
) => Promise<unknown>

interface VersionContext extends ServiceContext {
  /** `live` if the prompt has a live version; `test` only if the list has a staging version. */
  readonly environment: Environment
  /** Its label in the list. */
  readonly version: string
}

/** A name or label has at most 1,000 characters. */
interface CustomSummary {
  readonly slug: string
  /** @default '' */
  readonly folder?: string
  /** @default that of the prompt */
  readonly model?: string | undefined
  /** `null` if the prompt has only a staging version. */
  readonly liveVersion: string | null
  /** @default null */
  readonly stagingVersion?: string | null
}

/** A text has at most 10 MB. */
interface CustomPrompt {
  readonly version: string
  readonly systemSource: string
  readonly userSource: string
  /** @default both texts, joined by a blank line */
  readonly source?: string
  /** @default that of the list */
  readonly model?: string | undefined
  /** @default null */
  readonly temperature?: number | null | undefined
}
