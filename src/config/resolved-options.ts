import type { Environment } from '../core/prompt.ts'
import type { EnvSource } from './env-files.ts'
import type { Guard, PullPolicy } from './options.ts'
import type { PromptFilter } from './prompt-filter.ts'

/** A key and its source. */
export interface ApiKey {
  readonly value: string
  /** Such as `PROMPTS_API_KEY in .env.local`. */
  readonly source: string
}

/** All options with their defaults and absolute paths. */
export interface ResolvedOptions {
  readonly root: string
  /** Name of the workspace. */
  readonly name: string
  readonly baseUrl: string | undefined
  /** Where the address was found, such as `PROMPTS_BASE_URL in .env.local`. */
  readonly baseUrlSource: string | undefined
  readonly apiKey: ApiKey | undefined
  readonly environment: Environment
  readonly pull: PullPolicy
  readonly fallback: boolean
  readonly isSelected: PromptFilter
  readonly lock: string
  /** In the test environment, the path of the live lock, unless the options set `lock`. */
  readonly liveLock: string | undefined
  readonly dts: string | false
  readonly outDir: string | undefined
  readonly client: Guard
  readonly production: Guard
  readonly manifest: boolean
  readonly page: boolean
  readonly concurrency: number
  readonly timeout: number
  /** The environment of the process, for proxy variables. */
  readonly processEnv: EnvSource['values']
}
