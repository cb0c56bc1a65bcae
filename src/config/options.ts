import type { Environment } from '../core/prompt.ts'
import type { Refusal } from '../core/service.ts'
import type { OptionalSettings } from '../core/settings.ts'
import type { Syntax } from '../core/syntax.ts'

/** When a build or a dev server pulls. */
export type PullPolicy = 'missing' | 'always' | 'never'

/** What to do about a risk: nothing, warn once, or fail. */
export type Guard = 'allow' | 'warn' | 'error'

/**
 * The options of `prompts.config.ts` and of the plugin. All are optional. Invalid options throw
 * OPTIONS_INVALID, with all problems at once if `name` is valid.
 */
export interface Options {
  /**
   * Another prompt service, read by two functions. In `prompts.config.*` only; `baseUrl` and keys are
   * then not read.
   * @default the service at `baseUrl`
   */
  service?: CustomService
  /**
   * Address of the prompt service: the part before `/api/v1/prompts`. Must be `https:`, or `http:` on
   * this machine, because the key is sent there; otherwise BASE_URL_INVALID.
   * @default PROMPTS_BASE_URL
   */
  baseUrl?: string
  /**
   * Key of the prompt service. Set it in the environment rather than here.
   * @default PROMPTS_API_KEY, from the process, `.env.<mode>.local`, `.env.<mode>`,
   * `.env.local` or `.env`, in this order
   */
  apiKey?: string
  /**
   * The view that apps get of the lock: `live`, or `test` for staging versions where there are some.
   * @default PROMPTS_ENVIRONMENT, else `'live'`
   */
  environment?: Environment
  /**
   * Whether the lock has staging versions. They are read with a test key.
   * @default true
   */
  staging?: boolean
  /**
   * When to pull: `missing` only if there is no lock, `always` at every start, `never`. With `never`, a
   * missing lock is the error LOCK_MISSING.
   * @default PROMPTS_PULL, else `missing`
   */
  pull?: PullPolicy
  /**
   * With `pull: 'always'`: use the lock, with a warning, if the service can't be reached. A rejected
   * key is always an error.
   * @default true
   */
  fallback?: boolean
  /**
   * Globs for `folder/slug` or slug: the prompts to pin.
   * @example include: ['support/**', 'greeting']
   * @default all
   */
  include?: string | readonly string[]
  /**
   * Globs for `folder/slug` or slug: the prompts to leave out.
   * @default none
   */
  exclude?: string | readonly string[]
  /**
   * Path of the lock, relative to the project's folder.
   * @default prompts.lock.json
   */
  lock?: string
  /**
   * Path of the declarations, relative to the project's folder, or `false` for none.
   * @default prompts.d.ts
   */
  dts?: string | false
  /**
   * Folder of the files that `prompts generate` writes for tools without plugins, relative to the
   * project's folder. `pull` then updates them, and `check` reports stale ones.
   * @default none
   */
  outDir?: string
  /**
   * Globs for the folders of the other packages that use this lock, relative to the project's folder.
   * Commands and the page look for uses and breaks in their code too, and a pull updates their
   * declarations.
   * @example apps: '../*'
   * @default none
   */
  apps?: string | readonly string[]
  /**
   * What to do about prompts in browser code, where everyone can read them; `error` throws
   * PROMPTS_IN_CLIENT.
   * @default warn
   */
  client?: Guard
  /**
   * What to do about staging versions in a production build; `error` throws TEST_IN_PRODUCTION. There is no
   * warning if PROMPTS_ENVIRONMENT selects them.
   * @default warn
   */
  production?: Guard
  /**
   * Whether dev servers open the page with the pinned prompts; with `read` it never writes.
   * @default true
   */
  page?: boolean | 'read'
  /**
   * Maximum number of concurrent requests, from 1 to 256.
   * @default 16
   */
  concurrency?: number
  /**
   * Time limit of one request with its retries, in milliseconds.
   * @default 30000
   */
  timeout?: number
}

/** The options of a call of `prompts()`. */
export interface PluginOptions extends Omit<Options, 'service'> {
  /**
   * Name of the workspace, for apps with prompts from several workspaces: call `prompts()` once for
   * each. The module, the files and the variables begin with it: `billing-prompts` provides
   * `virtual:billing-prompts`, reads `billing-prompts.config.ts` and `BILLING_PROMPTS_API_KEY`, and
   * writes `billing-prompts.lock.json` and `billing-prompts.d.ts`.
   * @default prompts
   */
  name?: string
}

/**
 * Returns its argument; provides types in `prompts.config.ts`.
 *
 * @example export default defineConfig({ exclude: 'drafts/*' })
 */
export function defineConfig(options: Options): Options {
  return options
}

/** Returns the mode that selects `.env.<mode>` files, if no bundler or option sets one. */
export function defaultMode(processEnv: Readonly<Record<string, string | undefined>>): string {
  return processEnv['NODE_ENV'] || 'production'
}

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
   * Returns one version of a prompt. What it throws ends the read, and is reported with the slug, that of all
   * prompts together.
   *
   * @returns `refused` with a reason for a prompt that does not fit: it is not read, and everything else is.
   *   `null` if the prompt does not exist any more
   */
  get(slug: string, context: VersionContext): Promise<CustomPrompt | Refusal | null>
}

/** What both functions receive. */
export interface ServiceContext {
  /** The environment of the process, and the variables of the project's env files. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly fetchJson: FetchJson
  /** Tells the person who reads the service; in `get`, it stands beside the change of the prompt. */
  readonly warn: (message: unknown) => void
  /** Aborted when the command is, or when the function takes too long. */
  readonly signal: AppAbortSignal
}

/** The `AbortSignal` of the app, which may have neither the types of Node nor those of browsers. */
type AppAbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : { readonly aborted: boolean }

/**
 * Sends a request and returns the JSON of the response. It has time limits, retries and a maximum size, uses
 * proxies, and follows no redirect. It rejects with an error that has the `status` of the response, if there
 * was one. The type of the answer is not checked.
 */
export type FetchJson = <Answer = unknown>(
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
    /**
     * Whether `http:` may go to another machine than this one, such as a server in your own network.
     * @default false
     */
    readonly allowHttp?: boolean
  },
) => Promise<Answer>

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
interface CustomPrompt extends CustomSettings {
  /** @default that of the list, which is the only one that fits */
  readonly version?: string | undefined
  readonly systemSource: string
  readonly userSource: string
  /** @default both texts, joined by a blank line */
  readonly source?: string
  /** What the author says of this version. It is printed beside the change, and never pinned. */
  readonly note?: string | null | undefined
  readonly refused?: null | undefined
  /**
   * Another syntax of the texts, which become tokens. A text is refused if it has what tokens can't say.
   * @default tokens
   */
  readonly syntax?: Syntax | undefined
}

/**
 * Where a setting is missing, that of the list counts; otherwise a text is empty, and a number `null`. The
 * folder is always that of the list.
 */
type CustomSettings = {
  readonly [Name in keyof Omit<OptionalSettings, 'folder'>]?: OptionalSettings[Name] | undefined
}
