import type { Environment } from '../core/prompt.ts'

/** When a build or a dev server pulls. */
export type PullPolicy = 'missing' | 'always' | 'never'

/** What to do about something risky: nothing, say it once, or fail. */
export type Guard = 'allow' | 'warn' | 'error'

/**
 * The options of `prompts.config.ts`, and of the plugin with them. Every one may be left out. What
 * is not valid is refused with OPTIONS_INVALID, all of it at once.
 */
export interface Options {
  /**
   * Address of the prompt service: what stands before `/api/v1/prompts`. `https:`, or `http:` on
   * this machine; anything else is refused with BASE_URL_INVALID, since the key goes there.
   * @default PROMPTS_BASE_URL
   */
  baseUrl?: string
  /**
   * Key of the prompt service. Better left to the environment than written here.
   * @default PROMPTS_API_KEY, from the process or from `.env`, `.env.local`, `.env.<mode>`
   */
  apiKey?: string
  /**
   * Which snapshot to pin. Must agree with the key when there is one, else ENVIRONMENT_MISMATCH.
   * @default the kind of the key, else `live`
   */
  environment?: Environment
  /**
   * When to pull: `missing` only while there is no lock, `always` at every start, `never`: then a
   * missing lock is refused with LOCK_MISSING.
   * @default PROMPTS_PULL, else `missing`
   */
  pull?: PullPolicy
  /**
   * With `pull: 'always'`: use the lock, with a warning, when the service can't be reached. A
   * refused key is an error in any case.
   * @default true
   */
  fallback?: boolean
  /**
   * Globs over `folder/slug` and slug: which prompts the app pins at all.
   * @example include: ['support/**', 'greeting']
   * @default all
   */
  include?: string | readonly string[]
  /**
   * Globs over `folder/slug` and slug: which prompts the app leaves out.
   * @default none
   */
  exclude?: string | readonly string[]
  /**
   * Path of the lock, from the project's folder.
   * @default prompts.lock.json, or prompts.test.lock.json for the test environment
   */
  lock?: string
  /**
   * Path of the declarations, from the project's folder, or `false` for none.
   * @default prompts.d.ts
   */
  dts?: string | false
  /**
   * Folder of the files that `prompts generate` writes for tools without plugins, from the
   * project's folder. `pull` then updates them, and `check` reports them when they are stale.
   * @default none
   */
  outDir?: string
  /**
   * Prompts in code for the browser, where everybody can read them; `error` is PROMPTS_IN_CLIENT.
   * @default warn
   */
  client?: Guard
  /**
   * The test environment in a production build; `error` is TEST_IN_PRODUCTION.
   * @default warn
   */
  production?: Guard
  /**
   * Emit `prompts-manifest.json` with a build: the prompts that are really in the bundle, by
   * chunk, with version and hash.
   * @default false
   */
  manifest?: boolean
  /**
   * Whether dev servers have the page that shows the pinned prompts. Clients that are not on the
   * dev server's machine need the token that it prints.
   * @default true
   */
  page?: boolean
  /**
   * Single reads in flight, from 1 to 256.
   * @default 16
   */
  concurrency?: number
  /**
   * Deadline of one request with its retries, in milliseconds.
   * @default 30000
   */
  timeout?: number
}

/** The options of a call of `prompts()`. */
export interface PluginOptions extends Options {
  /**
   * Name of the workspace, for apps that take prompts from several: one call for each. It is what
   * the app imports, and the beginning of its files and variables: `billing-prompts` is
   * `virtual:billing-prompts`, reads `billing-prompts.config.ts` and `BILLING_PROMPTS_API_KEY`,
   * and has `billing-prompts.lock.json` and `billing-prompts.d.ts`.
   * @default prompts
   */
  name?: string
}

/**
 * Types `prompts.config.ts`; gives its argument back.
 *
 * @example export default defineConfig({ baseUrl: 'https://prompts.example.com', pull: 'never' })
 */
export function defineConfig(options: Options): Options {
  return options
}
