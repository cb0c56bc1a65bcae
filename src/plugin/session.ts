import { realpath } from 'node:fs/promises'
import type { ParseModule } from '../codegen/assert-only-data.ts'
import type { Lock } from '../core/prompt.ts'
import { createQueue } from '../core/queue.ts'
import type { Project, ProjectSettings } from '../features/project/project.ts'
import type { Start } from '../features/start/start.ts'
import type { FileWatcher } from '../fs/watch.ts'
import type { WorkspaceIds } from './ids.ts'
import type { ReadImporter } from './importers.ts'
import type { Snapshot, SnapshotSettings } from './snapshot.ts'

/** What the bundler reports about a build or dev server before it starts. */
export interface BuildContext
  extends Start, SnapshotSettings, Pick<ProjectSettings, 'root' | 'envDir' | 'mode' | 'published'> {
  readonly ids: WorkspaceIds
  /** Whether each importer gets only what it uses: in builds, not in dev servers. */
  readonly byUse: boolean
  /**
   * Whether a change of the lock rebuilds all modules. A dev server with hot updates requests only
   * the changed ones instead.
   */
  readonly watched: boolean
  /** Expressions that the bundler may insert into modules after all plugins. */
  readonly replacements: readonly string[]
  /** Absent in bundlers that drop unused prompts by themselves, and until the bundler sets it. */
  readonly readImporter?: ReadImporter
  /** The parser of a load hook, by its `this`. Default: acorn. */
  readonly parserOf?: (context: object) => ParseModule
  /** The module graph of a hook, by its `this`. In another one, an importer may have other code. */
  readonly graphOf: (context: object) => string
  /** Whether a hook, by its `this`, resolves an import of client code. */
  readonly isClient: (context: object) => boolean
}

/** What has changed since it was read: the lock or a configuration file. */
export type StaleSource = 'lock' | 'options'

/**
 * Milliseconds between two checks of the sources. A bundler's own watcher is usually faster. This one
 * finds what it misses; see `build-watch.ts`.
 */
const INTERVAL = 200

/**
 * The current snapshot of a project, and what happens when the lock or the options change. Builds with
 * the same context share a session, and so one pull. Nothing is read before the first call.
 */
export class Session {
  readonly #shared: SharedSettings
  readonly #context: BuildContext
  readonly #open: OpenProject
  #last: Attempt | undefined
  // Separate, since printing the declarations must not delay a snapshot.
  readonly #loads = createQueue()
  readonly #writes = createQueue()
  #declared: Lock | undefined

  constructor(shared: SharedSettings, context: BuildContext, open: OpenProject) {
    this.#shared = shared
    this.#context = context
    this.#open = open
  }

  /** The prefix of its messages. */
  get label(): string {
    return this.#context.ids.plugin
  }

  /** The project as last opened. The first call loads it with its snapshot. */
  async project(): Promise<Project> {
    const last = await this.#current()
    return last.project ?? goodOf(last).project
  }

  /** The current snapshot. The first call loads it, following the option `pull`. */
  async snapshot(): Promise<Snapshot> {
    return goodOf(await this.#current()).snapshot
  }

  /**
   * Reads the lock and the configuration again if a file has changed. After a failure, {@link
   * Session.snapshot} returns the last good snapshot.
   */
  async reload(): Promise<Snapshot> {
    const last = await this.#loads(async () => (this.#last = await this.#load(this.#last)))
    if (last.kind === 'failed') throw last.error
    return last.snapshot
  }

  /**
   * Updates the declarations to the current snapshot, if a contract has changed. The last of several calls
   * wins. Comments and the map wait for a start or a pull. A production build has those of the pull that
   * wrote its lock.
   */
  async writeDeclarations(): Promise<void> {
    if (this.#context.production) return
    await this.#writes(async () => {
      const { project, snapshot, isDeclared } = goodOf(await this.#current())
      const { changedContracts, lockOf } = await import('./build.ts')
      const lock = lockOf(snapshot.plan.entries)
      const last = isDeclared ? lock : this.#declared
      if (last === undefined || changedContracts(last, lock).length > 0)
        await project.writeDeclarations(lock)
      this.#declared = lock
    })
  }

  /** Reloads and updates the declarations. */
  async refresh(): Promise<Snapshot> {
    const snapshot = await this.reload()
    await this.writeDeclarations()
    return snapshot
  }

  /** The path of the lock, and that of its target if it is a link. */
  async lockPaths(): Promise<readonly string[]> {
    const { path } = (await this.project()).lock
    return [...new Set([path, await realpath(path).catch(() => path)])]
  }

  /** The files to watch: the lock and the configuration files, existing or not. */
  async sources(): Promise<readonly string[]> {
    const { settingsFiles } = await import('./build.ts')
    const project = await this.project().catch(() => undefined)
    const files = await settingsFiles(await this.#settings())
    return project === undefined ? files : [project.lock.path, ...files]
  }

  /** What {@link Session.reload} would read again, also after a failure; `undefined` if nothing. */
  staleSource(): Promise<StaleSource | undefined> {
    return this.#loads(async () => this.#last && this.#isStale(this.#last))
  }

  /** Calls `onStale` when a source differs from what was read, until the watcher is closed. */
  async watch(onStale: (what: StaleSource) => Promise<void>): Promise<FileWatcher> {
    const { watchFiles } = await import('./build.ts')
    return watchFiles({
      paths: await this.sources(),
      interval: INTERVAL,
      onChange: async () => {
        const what = await this.staleSource()
        if (what !== undefined) await onStale(what)
      },
    })
  }

  // webpack and Rspack request modules while a refresh still runs, so this waits for it.
  #current(): Promise<Attempt> {
    return this.#loads(async () => (this.#last ??= await this.#load()))
  }

  /** Reads what differs from the last attempt. */
  async #load(last?: Attempt): Promise<Attempt> {
    const { createSnapshot, hashSettings, readPlan, startProject } = await import('./build.ts')
    const place = await this.#settings()
    const settings = await hashSettings(place)
    let text: string | undefined
    const good = last?.kind === 'failed' ? last.good : last
    const isCurrent = (old?: Attempt): boolean => old?.settings === settings
    let project = [last, good].find(isCurrent)?.project
    const isOpen = project !== undefined
    try {
      project ??= await this.#open(place)
      text = await readLock(project)
      const isStart = !isOpen || good === undefined || project !== good.project
      if (!isStart && text !== undefined && text === good.text) return good
      const context = this.#context
      const plan = await (isStart ? startProject : readPlan)(project, context, text)
      const snapshot = createSnapshot(plan, context)
      const loaded: Loaded = {
        kind: 'loaded',
        project,
        snapshot,
        settings,
        text,
        isDeclared: isStart,
      }
      // A pull has changed the lock since its text was read.
      const hasPulled = isStart && (text === undefined || project.options.pull === 'always')
      return hasPulled ? await this.#load(loaded) : loaded
    } catch (error) {
      return { kind: 'failed', project, settings, text, error, good }
    }
  }

  async #isStale({ settings, text, project }: Attempt): Promise<StaleSource | undefined> {
    const { hashSettings } = await import('./build.ts')
    if (settings !== (await hashSettings(await this.#settings()))) return 'options'
    const isCurrent = project === undefined || text === (await readLock(project))
    return isCurrent ? undefined : 'lock'
  }

  async #settings(): Promise<ProjectSettings> {
    const { ids, root: from, envDir, mode, published, production, notify } = this.#context
    const { findProjectFolder } = await import('./build.ts')
    const name = ids.workspace
    const root = await findProjectFolder(from, name)
    const warn = (message: string): void => notify('warn', message)
    const place = { root, name, envDir, mode, published, processEnv: process.env }
    return { ...this.#shared, ...place, map: !production, warn }
  }
}

/** What all sessions of an instance share. */
type SharedSettings = Pick<ProjectSettings, 'options' | 'configCache'>

/** Opens a project, which loads what a start of the bundler does not need. */
export type OpenProject = (settings: ProjectSettings) => Promise<Project>

/** What came of reading the sources. */
type Attempt = Loaded | Failed

/** What was read of the sources, to see later whether they have changed. */
interface ReadSources {
  /** A hash of the configuration and env files. */
  readonly settings: string
  /** The content of the lock; `undefined` if it can't be read. */
  readonly text: string | undefined
}

interface Loaded extends ReadSources {
  readonly kind: 'loaded'
  readonly project: Project
  readonly snapshot: Snapshot
  /** Whether the start has updated the declarations to it. */
  readonly isDeclared: boolean
}

interface Failed extends ReadSources {
  readonly kind: 'failed'
  /** `undefined` if it can't be opened. */
  readonly project: Project | undefined
  readonly error: unknown
  /** What stays until the sources are fixed. */
  readonly good: Loaded | undefined
}

function readLock({ lock }: Project): Promise<string | undefined> {
  return lock.readText().catch(() => undefined)
}

/** @throws what the attempt failed of, if none before has succeeded */
function goodOf(attempt: Attempt): Loaded {
  if (attempt.kind === 'loaded') return attempt
  if (attempt.good === undefined) throw attempt.error
  return attempt.good
}
