import type { Lock } from './core/prompt.ts'
import type { PromptService } from './core/service.ts'
import { PromptsError } from './errors.ts'
import { writeDeclarations } from './generate.ts'
import { readConfigFile } from './io/config-file.ts'
import { readEnvironment } from './io/env-files.ts'
import type { WriteOutcome } from './io/files.ts'
import { type LockFile, lockFile } from './io/lock-file.ts'
import { type Options, resolveOptions, type ResolvedOptions } from './options.ts'
import { pull, type PullReport, type PullRequest } from './pull.ts'

/** Where a project is and what its caller says of it. */
export interface ProjectSettings {
  /** The project's folder, absolute. */
  readonly root: string
  /** Where the `.env` files are. Default: `root`. */
  readonly envDir?: string | undefined
  /** Selects `.env.<mode>`, such as `production`. */
  readonly mode: string
  /** Options of the call, which win over those of `prompts.config.ts`. */
  readonly options: Options
  readonly processEnv: Readonly<Record<string, string | undefined>>
  /** Told about what does not stop the work, in one line each. */
  readonly warn: (message: string) => void
}

/** One app with its options, its lock and its service: what plugin and commands work on. */
export interface Project {
  readonly options: ResolvedOptions
  readonly lock: LockFile
  /**
   * Reads the service and updates lock and declarations.
   *
   * @throws PromptsError what {@link pull} throws, and KEY_MISSING, BASE_URL_MISSING and the like
   *   before anything is sent
   */
  pull(request?: Partial<PullRequest>): Promise<PullReport>
  /**
   * The lock, checked against the options.
   *
   * @throws PromptsError LOCK_MISSING, LOCK_UNFIT, and what reading it throws
   */
  readLock(): Promise<Lock>
  /** Brings the declarations up to date; `off` where the options want none. */
  writeDeclarations(lock: Lock): Promise<WriteOutcome | 'off'>
}

/**
 * Puts a project together from its configuration file, its environment and its caller's options.
 *
 * @throws PromptsError OPTIONS_INVALID, CONFIG_UNREADABLE, ENVIRONMENT_MISMATCH, KEY_PUBLISHED
 */
export async function openProject(settings: ProjectSettings): Promise<Project> {
  const options = await readOptions(settings)
  const lock = lockFile(options.lock, options.root)
  const project: Project = {
    options,
    lock,
    pull: (request) => pullProject(project, settings.warn, request),
    readLock: () => readFittingLock(project),
    async writeDeclarations(pinned) {
      const { root, dts } = options
      return dts === false ? 'off' : writeDeclarations(pinned, { root, dts })
    },
  }
  return project
}

async function readOptions(settings: ProjectSettings): Promise<ResolvedOptions> {
  const { root, envDir = root, mode, options, processEnv } = settings
  const [file, env] = await Promise.all([
    readConfigFile(root),
    readEnvironment(envDir, mode, processEnv),
  ])
  const layers = [{ source: 'the call of prompts()', options: options as unknown }]
  if (file !== undefined) layers.push({ source: file.path, options: file.options })
  return resolveOptions({ root, layers, env })
}

async function pullProject(
  { options, lock, writeDeclarations: declare }: Project,
  warn: ProjectSettings['warn'],
  request: Partial<PullRequest> = {},
): Promise<PullReport> {
  const { apiKey, selects, concurrency } = options
  if (apiKey === undefined) throw new PromptsError('KEY_MISSING', {})
  const service = await connect(options, apiKey, warn)
  try {
    const ports = { service, lock }
    const report = await pull(ports, { selects, concurrency, key: apiKey.value, ...request })
    if (report.outcome !== 'dry-run') await declare(report.lock)
    return report
  } finally {
    await service.close()
  }
}

/** Loads the client, and undici with it, only when something is to be read. */
async function connect(
  { baseUrl, environment, concurrency, timeout, processEnv }: ResolvedOptions,
  apiKey: Exclude<ResolvedOptions['apiKey'], undefined>,
  warn: ProjectSettings['warn'],
): Promise<PromptService> {
  if (baseUrl === undefined) throw new PromptsError('BASE_URL_MISSING', {})
  const { createPromptService } = await import('./io/service.ts')
  return createPromptService({
    baseUrl,
    key: apiKey.value,
    keySource: apiKey.source,
    environment,
    concurrency,
    timeout,
    proxyEnv: processEnv,
    onWarning: warn,
  })
}

async function readFittingLock({ options, lock }: Project): Promise<Lock> {
  const pinned = await lock.read()
  if (pinned === undefined) throw new PromptsError('LOCK_MISSING', { path: lock.path })
  const differences = differencesOf(pinned, options)
  if (differences.length > 0) throw new PromptsError('LOCK_UNFIT', { path: lock.path, differences })
  return pinned
}

/** FAULTS 48. */
function differencesOf(lock: Lock, { environment, selects }: ResolvedOptions): string[] {
  if (lock.environment !== environment) {
    return [`it holds ${lock.environment} prompts, the options say ${environment}`]
  }
  return lock.prompts
    .filter((prompt) => !selects(prompt))
    .map(({ slug }) => `it holds ${slug}, which include and exclude leave out`)
}
