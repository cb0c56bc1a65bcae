import type { PublicVariables } from '../../config/env.ts'
import type { Lock } from '../../core/prompt.ts'
import type { PromptService } from '../../core/service.ts'
import { DEFAULT_WORKSPACE, envVariable } from '../../core/workspace-name.ts'
import { PromptsError } from '../../errors/catalogue.ts'
import { updateDeclarations, updateOutDir, assertOwnFiles } from '../generate/generated-files.ts'
import { readConfigFile } from '../../config/config-file.ts'
import { readEnvironment } from '../../config/env-files.ts'
import { withFileLock } from '../../fs/file-lock.ts'
import { type WriteResult, resolveWritable } from '../../fs/files.ts'
import { type LockStore, createLockStore } from '../../fs/lock-store.ts'
import type { PromptServiceOptions } from '../../service/options.ts'
import {
  type ApiKey,
  type Options,
  checkWorkspaceName,
  resolveOptions,
  type ResolvedOptions,
} from '../../config/options.ts'
import type { PullReport, PullRequest } from '../pull/pull.ts'

/** Where a project is and what its caller says of it. */
export interface ProjectSettings {
  /** The project's folder, absolute. */
  readonly root: string
  /** Of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
  /** Where the `.env` files are. Default: `root`. */
  readonly envDir?: string | undefined
  /** Selects `.env.<mode>`, such as `production`. */
  readonly mode: string
  /** Options of the call, which win over those of `prompts.config.ts`. */
  readonly options: Options
  readonly processEnv: Readonly<Record<string, string | undefined>>
  /** What the bundler puts into code. Default: nothing that could be a key. */
  readonly published?: PublicVariables | undefined
  /**
   * Whether declarations get their map, which only editors use, also where nothing is pulled.
   * Default: false.
   */
  readonly map?: boolean | undefined
  /** Told about what does not stop the work, in one line each. */
  readonly warn: (message: string) => void
}

/** How one piece of work with the service is followed and ended. */
export type ServiceCallOptions = Pick<PromptServiceOptions, 'signal' | 'onRetry'>

/** What a caller may decide of a pull; the rest is in the options. */
export type PullOptions = Partial<PullRequest> &
  ServiceCallOptions & {
    /** Milliseconds to wait for a pull of another process. @default 300000 */
    readonly waitTimeout?: number
  }

/** One app with its options, its lock and its service: what plugin and commands work on. */
export interface Project {
  readonly options: ResolvedOptions
  readonly lock: LockStore
  /**
   * Reads the service and updates lock and declarations.
   *
   * @throws PromptsError what {@link pull} throws, and KEY_MISSING, BASE_URL_MISSING and the like
   *   before anything is sent
   */
  pull(request?: PullOptions): Promise<PullReport>
  /**
   * Pulls where there is no lock: of several processes that start together, the first pulls and
   * the others find its lock.
   *
   * @returns `undefined` when there is a lock already
   * @throws PromptsError as {@link Project.pull}
   */
  pullIfMissing(request?: PullOptions): Promise<PullReport | undefined>
  /**
   * Opens the client of the service for one piece of work and closes it behind it.
   *
   * @throws PromptsError KEY_MISSING, BASE_URL_MISSING and the like before anything is sent, and
   *   what the work throws
   */
  withService<Result>(
    work: (service: PromptService) => Promise<Result>,
    watch?: ServiceCallOptions,
  ): Promise<Result>
  /**
   * The lock, checked against the options.
   *
   * @throws PromptsError LOCK_MISSING, LOCK_UNFIT, and what reading it throws
   */
  readLock(): Promise<Lock>
  /**
   * Brings the declarations up to date with the lock that they follow; `off` when the options want
   * none. Warns when the app can fail at run time although it compiles with them.
   *
   * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE
   */
  writeDeclarations(lock: Lock): Promise<WriteResult | 'off'>
  /**
   * Brings all generated files up to date: the declarations with their map, and `outDir`.
   *
   * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE
   */
  writeGenerated(lock: Lock): Promise<void>
}

/**
 * Puts a project together from its configuration file, its environment and its caller's options.
 *
 * @throws PromptsError OPTIONS_INVALID, CONFIG_UNREADABLE, ENVIRONMENT_MISMATCH, KEY_PUBLISHED,
 *   PREFIX_PUBLISHES_KEY
 */
export async function openProject(settings: ProjectSettings): Promise<Project> {
  const options = await readOptions(settings)
  const lock = createLockStore(options.lock, options.root, options.name)
  const project: Project = {
    options,
    lock,
    pull: (request = {}) => withPullLock(project, request, () => pullProject(project, request)),
    pullIfMissing: (request = {}) =>
      withPullLock(project, request, async () =>
        (await lock.readHash()) === undefined ? pullProject(project, request) : undefined,
      ),
    withService: (work, watch) =>
      withService(options, work, { ...watch, onWarning: settings.warn }),
    readLock: () => readMatchingLock(project),
    writeDeclarations: (pinned) => updateDeclarations(options, pinned, settings),
    async writeGenerated(pinned) {
      await updateDeclarations(options, pinned, { ...settings, map: true })
      await updateOutDir(options, pinned)
    },
  }
  return project
}

async function readOptions(settings: ProjectSettings): Promise<ResolvedOptions> {
  const {
    root,
    name = DEFAULT_WORKSPACE,
    envDir = root,
    mode,
    options,
    processEnv,
    published,
  } = settings
  checkWorkspaceName(name, 'the call')
  const [file, env] = await Promise.all([
    readConfigFile(root, name),
    readEnvironment(envDir, mode, processEnv),
  ])
  const layers = [{ source: 'the call of prompts()', options: options as unknown }]
  if (file !== undefined) layers.push({ source: file.path, options: file.options })
  return resolveOptions({ root, name, layers, env, published })
}

/** One pull at a time for each lock; a dry run writes nothing and need not wait. */
async function withPullLock<Result>(
  { options }: Project,
  { dryRun, signal, waitTimeout }: PullOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  if (dryRun) return work()
  // Before any read is spent, and so that the lockfile is next to the lock and not next to a link.
  const path = await resolveWritable(options.lock, options.root)
  await assertOwnFiles(options)
  return withFileLock({ path, waitTimeout, signal }, work)
}

async function pullProject(project: Project, request: PullOptions): Promise<PullReport> {
  const { options, lock } = project
  const { isSelected, concurrency } = options
  return project.withService(async (service) => {
    const { pull } = await import('../pull/pull.ts')
    const key = requireKey(options).value
    const report = await pull({ service, lock }, { isSelected, concurrency, key, ...request })
    if (report.outcome === 'written' || report.outcome === 'unchanged')
      await project.writeGenerated(report.lock)
    return report
  }, request)
}

async function withService<Result>(
  options: ResolvedOptions,
  work: (service: PromptService) => Promise<Result>,
  watch: ServiceCallOptions & Pick<PromptServiceOptions, 'onWarning'>,
): Promise<Result> {
  const service = await connect(options, watch)
  try {
    return await work(service)
  } finally {
    await service.close()
  }
}

/** Where the address is missing too, it is told at once. */
function requireKey({ apiKey, baseUrl, name }: ResolvedOptions): ApiKey {
  if (apiKey !== undefined) return apiKey
  const [key, address] = [envVariable(name, 'API_KEY'), envVariable(name, 'BASE_URL')]
  const variable = baseUrl === undefined ? `${key} and ${address}` : key
  throw new PromptsError('KEY_MISSING', { variable })
}

/** Loads the client, and undici with it, only when something is to be read. */
async function connect(
  options: ResolvedOptions,
  { signal, onRetry, onWarning }: ServiceCallOptions & Pick<PromptServiceOptions, 'onWarning'>,
): Promise<PromptService> {
  const { name, baseUrl, environment, concurrency, timeout, processEnv } = options
  const { value: key, source: keySource } = requireKey(options)
  if (baseUrl === undefined)
    throw new PromptsError('BASE_URL_MISSING', { variable: envVariable(name, 'BASE_URL') })
  const { createPromptService } = await import('../../service/client.ts')
  return createPromptService({
    workspace: name,
    baseUrl,
    key,
    keySource,
    environment,
    concurrency,
    timeout,
    proxyEnv: processEnv,
    onWarning,
    onRetry,
    signal,
  })
}

async function readMatchingLock({ options, lock }: Project): Promise<Lock> {
  const { path, workspace } = lock
  const pinned = await lock.read()
  if (pinned === undefined) throw new PromptsError('LOCK_MISSING', { path, workspace })
  const differences = lockMismatches(pinned, options).map(({ text }) => text)
  if (differences.length > 0) throw new PromptsError('LOCK_UNFIT', { path, workspace, differences })
  return pinned
}

/** One way in which a lock does not fit the options. */
export interface LockMismatch {
  /** The prompt that it is about, unless it is about the whole lock. */
  readonly slug: string | undefined
  readonly text: string
}

/** How a lock does not fit the options; empty where it does. */
export function lockMismatches(
  lock: Lock,
  { environment, isSelected }: Pick<ResolvedOptions, 'environment' | 'isSelected'>,
): LockMismatch[] {
  if (lock.environment !== environment) {
    const text = `it holds ${lock.environment} prompts, the options say ${environment}`
    return [{ slug: undefined, text }]
  }
  return lock.prompts
    .filter((prompt) => !isSelected(prompt))
    .map(({ slug }) => ({ slug, text: `it holds ${slug}, which include and exclude leave out` }))
}
