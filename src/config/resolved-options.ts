import type { Environment } from '../core/prompt.ts'
import type { EnvSource } from './env-files.ts'
import type { Guard, PullPolicy } from './options.ts'
import type { PromptFilter } from './prompt-filter.ts'

/** A key and where it was found. */
export interface ApiKey {
  readonly value: string
  /** Such as `PROMPTS_API_KEY in .env.local`. */
  readonly source: string
}

/** Every option decided, with absolute paths. */
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
