import { dirname, isAbsolute, resolve } from 'node:path'
import { inspect } from 'node:util'
import type { AppLocation } from '../../judge/app.ts'
import { type ConfigCache, configPaths, readConfigFile } from '../../config/config-file.ts'
import { printLock } from '../../core/lock/print-lock.ts'
import { envPaths, readEnvironment } from '../../config/env-files.ts'
import type { Options } from '../../config/options.ts'
import {
  type PublicVariables,
  type ResolvedOptions,
  resolveOptions,
} from '../../config/resolve-options.ts'
import { prune } from '../../core/compare.ts'
import { entriesOf, type Entry, lockOf, type PartHead } from '../../core/lock/entry.ts'
import { type WholeLock, wholeLock } from '../../core/lock/former-lock.ts'
import { describePart, type Lock, type PartId, type PinnedPrompt } from '../../core/prompt.ts'
import { isShort, redact } from '../../core/secrets.ts'
import type { PromptService } from '../../core/service.ts'
import { DEFAULT_WORKSPACE, envVariable, virtualModuleId } from '../../core/workspace-name.ts'
import { debug } from '../../debug/debug.ts'
import { checkWorkspaceName, PromptsError } from '../../errors/prompts-error.ts'
import { readForeignText, sha256 } from '../../fs/files.ts'
import {
  type LockOrigin,
  type LockRequest,
  type LockStore,
  createLockStore,
  readRequiredLock,
} from '../../fs/lock-store.ts'
import { isInside, relativePath } from '../../fs/paths.ts'
import type { OutputTarget } from '../../output/generated-files.ts'
import type { Plan } from '../../plan/plan.ts'
import type { PullReport, PullRequest } from '../../plan/pull.ts'
import type { Apps } from '../../plan/apps.ts'
import type { ServiceCall } from './with-service.ts'

export interface ProjectSettings {
  readonly root: string
  /** Name of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
  /** Folder of the `.env` files. Default: `root`. */
  readonly envDir?: string | undefined
  /** Selects `.env.<mode>`, such as `production`. */
  readonly mode: string
  /** Options of the caller. They override those of `prompts.config.ts`. */
  readonly options: Options
  readonly processEnv: Readonly<Record<string, string | undefined>>
  /** The variables that the bundler inserts into code. Default: none that could be a key. */
  readonly published?: PublicVariables | undefined
  /** Whether declarations get a map for editors even without a pull. Default: false. */
  readonly map?: boolean | undefined
  /** Shares evaluated configuration files with other builds. Default: none. */
  readonly configCache?: ConfigCache | undefined
  /** Called with each warning, one line. */
  readonly warn: (message: string) => void
}

/** One app with its options, its lock and its service. Only what a build always needs is loaded at once. */
export interface Project {
  readonly options: ResolvedOptions
  readonly lock: LockStore
  /** Reads the options of all apps that use the lock. */
  apps(): Promise<Apps>
  /**
   * Where the code of all these apps is.
   *
   * @param tsconfig - of this app, if it is not the default
   * @param view - `served` for the views that the apps serve. Default: those of their declarations
   */
  locate(tsconfig?: string, view?: 'served'): Promise<AppLocation>
  /**
   * Reads the service and compares it with the lock. Writes nothing. Missing keys fail before anything
   * is sent, files that can't be written before any metered read.
   */
  prepare(request?: PullRequest): Promise<{ readonly plan: Plan; readonly report: PullReport }>
  /** Reads the lock for a person who will edit it: a plan that changes nothing. */
  show(): Promise<Plan & { readonly before: WholeLock }>
  /** A plan with an edited lock. Reads and writes nothing. */
  edit(plan: Plan, after: Lock): Promise<Plan>
  /** The absolute paths of what {@link commit} would write. Writes nothing. */
  preview(plan: Plan): Promise<readonly string[]>
  /**
   * Writes edits of the app, the generated files, and last the lock. Only the lock that the plan was made from is
   * replaced.
   *
   * @param signal - nothing is written after an abort
   * @returns the absolute paths of what was written: the lock, the declarations, the folder `outDir`, edited files
   */
  commit(plan: Plan, signal?: AbortSignal): Promise<readonly string[]>
  /** Opens a client of the service for one piece of work and closes it afterwards. */
  withService<Result>(
    work: (service: PromptService) => Promise<Result>,
    call?: ServiceCall,
  ): Promise<Result>
  /** The lock, verified and checked against the options. */
  readLock(): Promise<Lock>
  /** Its entries, of which a production build verifies what it ships. */
  openLock(request: LockRequest): Promise<readonly Entry[]>
  /**
   * Updates the declarations of this app.
   *
   * @returns their path if they have changed
   */
  writeDeclarations(lock: Lock): Promise<readonly string[]>
  /**
   * Updates the generated files of all apps: the declarations with their map, and `outDir`.
   *
   * @returns the absolute paths of what has changed: the declarations, the folder `outDir`
   */
  writeGenerated(lock: Lock): Promise<readonly string[]>
}

/**
 * Opens a project: reads its configuration file and env files, then those beside a lock that several
 * apps share, and merges them with the options of the caller.
 */
export async function openProject(settings: ProjectSettings): Promise<Project> {
  const { root, name = DEFAULT_WORKSPACE, mode, processEnv, published } = settings
  checkWorkspaceName(name, 'the call')
  const file = await readConfigFile(root, name, settings.configCache)
  const env = await readEnvironment(envFolders(settings, file?.options), mode, processEnv)
  const caller = { source: 'the call of prompts()', options: settings.options as unknown }
  const files = file ? [{ source: file.path, options: file.options, isFile: true }] : []
  const layers = [caller, ...files]
  const options = resolveOptions({ root, name, layers, env, published })
  return createProject(options, { ...settings, source: file?.path ?? caller.source })
}

/** The configuration and env files that a project is opened from, existing or not. */
export async function settingsFiles(settings: ProjectSettings): Promise<string[]> {
  const { root, name = DEFAULT_WORKSPACE, mode, configCache } = settings
  // One that can't be read names no lock.
  const file = await readConfigFile(root, name, configCache).catch(() => undefined)
  return [...configPaths(root, name), ...envPaths(envFolders(settings, file?.options), mode)]
}

/** The folder of the env files, and that of a lock outside of the project, such as the root of a monorepo. */
function envFolders(
  { root, envDir = root, options }: ProjectSettings,
  configured: unknown,
): [string, ...string[]] {
  const lock: unknown = options.lock ?? Object(configured).lock
  const path = typeof lock === 'string' ? resolve(root, lock) : root
  return isInside(root, path) ? [envDir] : [envDir, dirname(path)]
}

/**
 * A hash of what a project is opened from: the content of these files, what the configuration file makes of the
 * environment, and the variables of the workspace. Files that can't be read count as missing.
 */
export async function hashSettings(settings: ProjectSettings): Promise<string> {
  const { root, name = DEFAULT_WORKSPACE, configCache, processEnv } = settings
  const paths = await settingsFiles(settings)
  const texts = await Promise.all(paths.map((path) => readForeignText(path).catch(() => undefined)))
  const file = await readConfigFile(root, name, configCache).catch(() => undefined)
  const { service, ...options } = Object(file?.options) as Options
  const secrets = new Set<unknown>([service?.secrets].flat())
  const variables = Object.entries(processEnv)
    .filter(([key]) => key.startsWith(envVariable(name, '')) || secrets.has(key))
    .toSorted()
  const made = inspect(options, { depth: null, maxArrayLength: null, maxStringLength: null })
  return sha256(JSON.stringify([texts, made, variables]))
}

function createProject(
  options: ResolvedOptions,
  settings: ProjectSettings & { readonly source: string },
): Project {
  const { keys, secrets } = options
  debug('config', () => describeOptions(options))
  const lock = createLockStore(options.lock, options.root, options.name)
  const { warn, source, configCache = new Map(), map } = settings
  const apps: Project['apps'] = async () => {
    const { readOtherApps } = await import('../../plan/apps.ts')
    return [options, ...(await readOtherApps(options, { source, configCache }))]
  }
  const openLock: Project['openLock'] = async (request) =>
    assertFit(lock, await lock.open(request), options)
  const readLock: Project['readLock'] = async () => readFitLock(lock, options)
  const short = keys.filter(({ value }) => isShort(value))
  const callService: Project['withService'] = async (work, call) => {
    for (const key of short.splice(0)) warn(describeShort(key.source))
    const { withService } = await import('./with-service.ts')
    return withService(options, work, { ...call, onWarning: warn })
  }
  return {
    options,
    lock,
    apps,
    async locate(tsconfig, view) {
      const { locateApps } = await import('../../plan/apps.ts')
      return { ...locateApps(await apps(), view), tsconfig }
    },
    async prepare(request = {}) {
      const { assertWritable } = await import('../../plan/commit.ts')
      await assertWritable(await apps())
      return callService(async (service) => {
        const { preparePull } = await import('../../plan/pull.ts')
        return preparePull(service, lock, options, request)
      }, request)
    },
    // The hash first, so that a lock that changes in between is never taken for the one shown.
    show: async () => planOf(await lock.readHash(), await readLock()),
    async edit(plan, edited) {
      const { assertPinnable } = await import('../../plan/pinnable.ts')
      const after = prune(edited, plan.after)
      assertPinnable(after.parts, secrets)
      return { ...plan, after }
    },
    preview: async (plan) =>
      (await import('../../plan/commit.ts')).preview(await apps(), lock, plan),
    async commit(plan, signal) {
      const { commit } = await import('../../plan/commit.ts')
      const written = await commit(await apps(), lock, plan, { signal, warn })
      const unfit = unfitLock(lock, entriesOf(plan.after), options)
      if (unfit !== undefined) warn(unfit.message)
      return written
    },
    withService: callService,
    readLock,
    openLock,
    writeDeclarations: (pinned) => write([{ ...options, outDir: undefined }], pinned, map, warn),
    writeGenerated: async (pinned) => write(await apps(), pinned, true, warn),
  }
}

function planOf(base: string | undefined, lock: Lock): Plan & { readonly before: WholeLock } {
  return { base, before: wholeLock(lock), after: lock, edits: [], left: [] }
}

function describeOptions({ lock, served, pull, keys, secrets }: ResolvedOptions): string {
  const sources = keys.map(({ source }) => source).join(' and ') || 'no key'
  return redact(`lock ${lock}, ${served.environment}, pull: ${pull}, key: ${sources}`, secrets)
}

function describeShort(source: string): string {
  return `The key from ${source} has fewer than 8 characters, so it can't be told from other text: bundles, messages and prompts are not searched for it.`
}

/** Reads the lock, also out of order. */
async function readFitLock(lock: LockStore, options: ResolvedOptions): Promise<Lock> {
  return lockOf(assertFit(lock, entriesOf(await readRequiredLock(lock)), options))
}

/** Fails without a lock, or if it has what the options exclude. */
function assertFit(
  lock: LockStore,
  entries: readonly Entry[] | undefined,
  options: ResolvedOptions,
): readonly Entry[] {
  const { path, workspace } = lock
  if (entries === undefined) throw new PromptsError('LOCK_MISSING', { path, workspace })
  const unfit = unfitLock(lock, entries, options)
  if (unfit !== undefined) throw unfit
  return entries
}

/** LOCK_UNFIT, if the lock has what the options exclude. */
function unfitLock(
  { path, workspace }: LockOrigin,
  entries: readonly Entry[],
  options: ResolvedOptions,
): PromptsError | undefined {
  const differences = excludedParts(entries, options).map(describeExcluded)
  if (differences.length === 0) return undefined
  return new PromptsError('LOCK_UNFIT', { path, workspace, differences })
}

/**
 * The parts of a lock that the options exclude; none if it matches. A pull selects prompts by the one folder that the
 * list names, and their two parts may be in different ones.
 */
export function excludedParts(
  entries: readonly Entry[],
  { isSelected, staging }: Pick<ResolvedOptions, 'isSelected' | 'staging'>,
): PinnedPrompt[] {
  return entries.flatMap((entry) => {
    const isExcluded = !entry.heads.some(isSelected)
    const excluded = ({ environment }: PartHead): boolean =>
      isExcluded || (environment === 'test' && !staging)
    if (!entry.heads.some(excluded)) return []
    return entry.parts().filter((part) => excluded(part) && part.held === undefined)
  })
}

/** Says that the lock has a part that the options exclude. */
export function describeExcluded(part: PartId): string {
  return `it has ${describePart(part)}, which the options exclude`
}

/**
 * Says that an option serves staging, and where it is.
 *
 * @returns `undefined` if none does
 */
export function describeServedStaging({ name, root, served }: ResolvedOptions): string | undefined {
  if (served.chosenBy !== 'option' || served.environment === 'live') return undefined
  const { source } = served
  const place = isAbsolute(source) ? relativePath(root, source) : source
  return `${virtualModuleId(name)} serves staging: \`environment: 'test'\` in ${place}`
}

async function write(
  targets: readonly OutputTarget[],
  lock: Lock,
  map: boolean | undefined,
  warn: (message: string) => void,
): Promise<readonly string[]> {
  const { writeOutputs } = await import('../../output/generated-files.ts')
  return writeOutputs(targets, lock, map ? printLock(lock, sha256) : undefined, warn)
}
