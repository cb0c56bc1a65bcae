import type { PublicVariables } from '../../config/published-keys.ts'
import type { Lock } from '../../core/prompt.ts'
import type { PromptService } from '../../core/service.ts'
import { DEFAULT_WORKSPACE } from '../../core/workspace-name.ts'
import { updateDeclarations, updateOutDir } from '../generate/generated-files.ts'
import { readConfigFile } from '../../config/config-file.ts'
import { readEnvironment } from '../../config/env-files.ts'
import type { WriteResult } from '../../fs/files.ts'
import { type LockStore, createLockStore } from '../../fs/lock-store.ts'
import type { Options } from '../../config/options.ts'
import { checkWorkspaceName, resolveOptions } from '../../config/resolve-options.ts'
import type { ResolvedOptions } from '../../config/resolved-options.ts'
import type { PullReport } from '../pull/pull.ts'
import { type ServiceCallOptions, withService } from './connect.ts'
import { editLock, type EditLock, type EditOptions, type LockEdit } from './edit-lock.ts'
import { readMatchingLock } from './matching-lock.ts'
import { type PullOptions, pullProject, pullProjectIfMissing } from './pull-project.ts'

export type { ServiceCallOptions } from './connect.ts'

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
   * Changes the lock without the service, while no pull runs, and updates all generated files.
   *
   * @throws PromptsError LOCK_BUSY; what {@link Project.readLock}, {@link Project.writeGenerated}
   *   and the edit throw
   */
  editLock(edit: EditLock, request?: EditOptions): Promise<LockEdit>
  /**
   * Opens the client of the service for one piece of work and closes it behind it.
   *
   * @throws PromptsError KEY_MISSING, BASE_URL_MISSING and the like before anything is sent, and
   *   what the work throws
   */
  withService<Result>(
    work: (service: PromptService) => Promise<Result>,
    call?: ServiceCallOptions,
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
  const { warn } = settings
  const writeGenerated = async (pinned: Lock): Promise<void> => {
    await updateDeclarations(options, pinned, { warn, map: true })
    await updateOutDir(options, pinned)
  }
  const target = { options, lock, writeGenerated, onWarning: warn }
  return {
    options,
    lock,
    pull: (request = {}) => pullProject(target, request),
    pullIfMissing: (request = {}) => pullProjectIfMissing(target, request),
    editLock: (edit, request = {}) => editLock(target, edit, request),
    withService: (work, call) => withService(options, work, { ...call, onWarning: warn }),
    readLock: () => readMatchingLock(lock, options),
    writeDeclarations: (pinned) => updateDeclarations(options, pinned, settings),
    writeGenerated,
  }
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
