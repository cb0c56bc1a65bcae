import picomatch from 'picomatch'
import { keyEnvironment } from './api-key.ts'
import type { EnvSource, PublicVariables } from './env.ts'
import type { Environment } from '../core/prompt.ts'
import { DEFAULT_WORKSPACE, isWorkspaceName, envVariable } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/catalogue.ts'
import { resolvePaths } from './option-paths.ts'
import { optionProblems } from './option-problems.ts'
import { type KeyContext, assertPrefixesHideKeys, assertKeyNotPublished } from './published-keys.ts'

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

/** A key and where it was found. */
export interface ApiKey {
  readonly value: string
  /** Such as `PROMPTS_API_KEY in .env.local`. */
  readonly source: string
}

/** Whether a prompt is one that the app pins. */
export type PromptFilter = (entry: { readonly slug: string; readonly folder: string }) => boolean

/** Every option decided, with absolute paths. */
export interface ResolvedOptions {
  readonly root: string
  /** Of the workspace: {@link PluginOptions.name}. */
  readonly name: string
  readonly baseUrl: string | undefined
  readonly apiKey: ApiKey | undefined
  readonly environment: Environment
  readonly pull: PullPolicy
  readonly fallback: boolean
  readonly isSelected: PromptFilter
  readonly lock: string
  /** In the test environment, the lock of the live one, unless the options name a lock. */
  readonly liveLock: string | undefined
  readonly dts: string | false
  readonly outDir: string | undefined
  readonly client: Guard
  readonly production: Guard
  readonly manifest: boolean
  readonly page: boolean
  readonly concurrency: number
  readonly timeout: number
  /** The variables of the process, for proxies. */
  readonly processEnv: EnvSource['values']
}

/** What options are resolved from; where two layers give an option, the first wins. */
export interface OptionLayers {
  /** The project's folder, absolute. */
  readonly root: string
  /** Of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
  /** Named options, such as those of the plugin's call and those of a file. */
  readonly layers: readonly { readonly source: string; readonly options: unknown }[]
  /** In order of precedence; the first is the process. */
  readonly env: readonly EnvSource[]
  /** What the bundler puts into code beside what all of them do. Default: nothing. */
  readonly published?: PublicVariables | undefined
}

const NO_PUBLIC_VARIABLES: PublicVariables = { setting: '', prefixes: [] }

/**
 * Decides every option once.
 *
 * @throws PromptsError OPTIONS_INVALID, ENVIRONMENT_MISMATCH, KEY_PUBLISHED, PREFIX_PUBLISHES_KEY
 */
export function resolveOptions({
  root,
  name = DEFAULT_WORKSPACE,
  layers,
  env,
  published = NO_PUBLIC_VARIABLES,
}: OptionLayers): ResolvedOptions {
  const given = mergeLayers(layers)
  assertPrefixesHideKeys(published, name)
  const apiKey = findKey(given.apiKey, { name, env, published })
  const environment = decideEnvironment(given.environment, apiKey)
  return {
    root,
    name,
    baseUrl: given.baseUrl ?? lookup(env, envVariable(name, 'BASE_URL'))?.value,
    apiKey,
    environment,
    pull: given.pull ?? readPullPolicy(envVariable(name, 'PULL'), env) ?? 'missing',
    fallback: given.fallback ?? true,
    isSelected: createPromptFilter(given),
    ...resolvePaths(given, { root, name, environment, source: joinSources(layers) }),
    client: given.client ?? 'warn',
    production: given.production ?? 'warn',
    manifest: given.manifest ?? false,
    page: given.page ?? true,
    concurrency: given.concurrency ?? 16,
    timeout: given.timeout ?? 30_000,
    processEnv: env[0]?.values ?? {},
  }
}

/**
 * Checks the name of a workspace.
 *
 * @throws PromptsError OPTIONS_INVALID
 */
export function checkWorkspaceName(name: unknown, source: string): string {
  if (isWorkspaceName(name)) return name
  const problems = [
    'name: expected words of a-z and 0-9 joined by hyphens, such as billing-prompts',
  ]
  throw new PromptsError('OPTIONS_INVALID', { source, problems })
}

function mergeLayers(layers: OptionLayers['layers']): Options {
  const merged: Options = {}
  for (const { source, options } of layers.toReversed()) {
    const problems = optionProblems(options)
    if (problems.length > 0) throw new PromptsError('OPTIONS_INVALID', { source, problems })
    const defined = Object.entries(options as Options).filter(([, value]) => value !== undefined)
    Object.assign(merged, Object.fromEntries(defined))
  }
  return merged
}

function joinSources(layers: OptionLayers['layers']): string {
  return layers.map(({ source }) => source).join(' and ')
}

function lookup(env: readonly EnvSource[], name: string): ApiKey | undefined {
  for (const { name: place, values } of env) {
    const value = values[name]
    if (value !== undefined && value !== '') return { value, source: `${name} in ${place}` }
  }
  return undefined
}

function findKey(option: string | undefined, context: KeyContext): ApiKey | undefined {
  const { name, env } = context
  const key =
    option === undefined
      ? lookup(env, envVariable(name, 'API_KEY'))
      : { value: option, source: 'option apiKey' }
  if (key !== undefined) assertKeyNotPublished(key.value, context)
  return key
}

function decideEnvironment(option: Environment | undefined, key: ApiKey | undefined): Environment {
  const kind = key === undefined ? undefined : keyEnvironment(key.value)
  if (option !== undefined && key !== undefined && kind !== undefined && kind !== option) {
    throw new PromptsError('ENVIRONMENT_MISMATCH', { option, kind, source: key.source })
  }
  return option ?? kind ?? 'live'
}

function readPullPolicy(name: string, env: readonly EnvSource[]): PullPolicy | undefined {
  const found = lookup(env, name)
  if (found === undefined) return undefined
  const { value, source } = found
  if (value === 'missing' || value === 'always' || value === 'never') return value
  const problems = ['expected missing, always or never']
  throw new PromptsError('OPTIONS_INVALID', { source, problems })
}

/**
 * Slugs are not paths: a backslash is a plain character on every system, and `**` also matches a
 * line break in a name.
 */
const GLOB_RULES = { dot: true, windows: false, flags: 's' } as const

function createPromptFilter({
  include,
  exclude,
}: Pick<Options, 'include' | 'exclude'>): PromptFilter {
  const included =
    include === undefined ? (): boolean => true : picomatch(globs(include), GLOB_RULES)
  const excluded =
    exclude === undefined ? (): boolean => false : picomatch(globs(exclude), GLOB_RULES)
  return ({ slug, folder }) => {
    const names = folder === '' ? [slug] : [slug, `${folder}/${slug}`]
    return names.some((name) => included(name)) && !names.some((name) => excluded(name))
  }
}

/**
 * Parentheses are themselves, as in the name of a folder, unless they belong to a pattern such as
 * `@(a|b)`: picomatch takes them for a group, and would leave out nothing with `Drafts (old)/**`.
 */
function globs(patterns: string | readonly string[]): string[] {
  return [patterns].flat().map((glob) => glob.replaceAll(/(?<![\\!@*+?])\(/g, String.raw`\(`))
}
