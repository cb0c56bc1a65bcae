import type { Environment } from '../core/prompt.ts'
import type { EnvSource } from './env-files.ts'
import type { Options, PullPolicy } from './options.ts'
import type { PromptFilter } from './prompt-filter.ts'

/** A setting that an option or an environment variable can have. */
export interface Setting {
  readonly value: string
  /** Such as `PROMPTS_API_KEY in .env.local`. */
  readonly source: string
}

/** The defaults that depend on nothing else. */
export const DEFAULTS = {
  fallback: true,
  apps: [],
  client: 'warn',
  production: 'warn',
  manifest: false,
  page: true,
  concurrency: 16,
  timeout: 30_000,
} as const

type Defaulted = Readonly<Required<Pick<Options, keyof typeof DEFAULTS>>>

/** All options with their defaults and absolute paths. */
export interface ResolvedOptions extends Defaulted, Pick<Options, 'include' | 'exclude'> {
  readonly root: string
  /** Name of the workspace. */
  readonly name: string
  readonly baseUrl: string | undefined
  /** Where the address was found, such as `PROMPTS_BASE_URL in .env.local`. */
  readonly baseUrlSource: string | undefined
  /** The key of the environment. */
  readonly apiKey: Setting | undefined
  /** The key of the other environment, if there are both. */
  readonly otherKey: Setting | undefined
  readonly environment: Environment
  readonly pull: PullPolicy
  readonly isSelected: PromptFilter
  /** The path of the lock of the environment. */
  readonly lock: string
  /** In the test environment, the path of the live lock. */
  readonly liveLock: string | undefined
  /** The path of the test lock, which `virtual:prompts/staging` serves. */
  readonly testLock: string
  readonly dts: string | false
  readonly outDir: string | undefined
  /** The environment of the process, for proxy variables. */
  readonly processEnv: EnvSource['values']
}
