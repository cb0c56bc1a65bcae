import { realpath } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { findProjectFolder } from '../config/config-file.ts'
import { createQueue } from '../core/queue.ts'
import {
  hashSettings,
  openProject,
  type Project,
  type ProjectSettings,
  settingsFiles,
} from '../features/project/project.ts'
import type { Notify } from '../features/start/notify.ts'
import { readPlan, startProject } from '../features/start/start.ts'
import type { FileWatcher } from '../fs/watch.ts'
import type { SessionContext } from './context.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'

/** What has changed since it was read: the lock or a configuration file. */
export type StaleSource = 'lock' | 'options'

/**
 * Milliseconds between two checks of the sources. A bundler's own watcher is usually faster. This one
 * finds what it misses; see `build-watch.ts`.
 */
const INTERVAL = 200

/** Milliseconds before a dev server reads a lock again that is unreadable, since it may be half written. */
const RETRY_DELAY = 50

/**
 * The current snapshot of a project, and what happens when the lock or the options change. Builds with
 * the same context share a session, and so one pull. Nothing is read before the first call.
 */
export class Session {
  readonly #shared: SharedSettings
  readonly #context: SessionContext
  readonly #open: OpenProject
  readonly #listeners = new Set<Listener>()
  readonly #reads = createQueue()
  #last: Loaded | Failed | undefined
  /** Whether the listeners have taken it. */
  #isSaid = false

  constructor(shared: SharedSettings, context: SessionContext, open: OpenProject = openProject) {
    this.#shared = shared
    this.#context = context
    this.#open = open
  }

  /**
   * What is served: after a failure, the last that was read without one. The first call reads it, following the
   * option `pull`.
   */
  async loaded(notify: Notify): Promise<Loaded> {
    return servedBy(await this.#current(notify))
  }

  /** The project as last opened, also if its lock can't be read. */
  async project(notify: Notify): Promise<Project> {
    const last = await this.#current(notify)
    return last.project ?? servedBy(last).project
  }

  /** Reads the lock and the configuration again if one has changed. */
  async reload(notify: Notify): Promise<Loaded> {
    const last = await this.#read(async () => {
      const read = await this.#attempt(notify)
      const isHalfWritten = read.kind === 'failed' && read.good !== undefined
      if (!isHalfWritten || !this.#context.isServer) return read
      await delay(RETRY_DELAY)
      return this.#attempt(notify)
    })
    if (last.kind === 'failed') throw last.error
    return last
  }

  /** Says what becomes of each change, until the signal is aborted. A build waits for it. */
  listen(listener: Listener, signal?: AbortSignal): void {
    this.#listeners.add(listener)
    signal?.addEventListener('abort', () => this.#listeners.delete(listener))
  }

  /** Says that what followed from a change has failed. */
  fail(error: unknown): Promise<void> {
    return this.#say({ kind: 'failed', error })
  }

  /** The path of the lock, and that of its target if it is a link; none while the project can't be opened. */
  async lockPaths(): Promise<readonly string[]> {
    const path = (await this.#settled())?.project?.lock.path
    return path === undefined ? [] : [...new Set([path, await realpath(path).catch(() => path)])]
  }

  /** The files to watch: the lock and the configuration files, existing or not. */
  async sources(): Promise<readonly string[]> {
    const project = (await this.#settled())?.project
    const files = await settingsFiles(await this.#place())
    return project === undefined ? files : [project.lock.path, ...files]
  }

  /** What {@link Session.reload} would read again, also after a failure; `undefined` if nothing. */
  async staleSource(): Promise<StaleSource | undefined> {
    const last = await this.#settled()
    if (last === undefined) return undefined
    if (last.settings !== (await hashSettings(await this.#place()))) return 'options'
    const isCurrent = last.project === undefined || last.text === (await readText(last.project))
    return isCurrent ? undefined : 'lock'
  }

  /** Calls `onStale` when a source differs from what was read, until the watcher is closed. */
  async watch(onStale: (what: StaleSource) => Promise<void>): Promise<FileWatcher> {
    const { watchFiles } = await import('../fs/watch.ts')
    return watchFiles({
      paths: await this.sources(),
      interval: INTERVAL,
      onChange: async () => {
        const what = await this.staleSource()
        if (what !== undefined) await onStale(what)
      },
    })
  }

  // webpack and Rspack request modules while a start still runs, so this waits for it.
  #settled(): Promise<Loaded | Failed | undefined> {
    return this.#reads(async () => this.#last)
  }

  #current(notify: Notify): Promise<Loaded | Failed> {
    return this.#read(async () => this.#last ?? this.#attempt(notify))
  }

  /** Listeners are called after the read, so that they delay no other one. */
  async #read(attempt: () => Promise<Loaded | Failed>): Promise<Loaded | Failed> {
    const last = await this.#reads(async () => {
      const now = await attempt()
      if (now !== this.#last) this.#isSaid = false
      return (this.#last = now)
    })
    if (!this.#isSaid) await this.#say(last)
    return last
  }

  async #say(event: SessionEvent): Promise<void> {
    this.#isSaid = true
    try {
      for (const listener of this.#listeners) await listener(event)
    } catch (error) {
      this.#isSaid = false
      throw error
    }
  }

  /** Opens the project if its options have changed, and starts it up or reads its lock again. */
  async #attempt(notify: Notify): Promise<Loaded | Failed> {
    const last = this.#last
    const good = last?.kind === 'failed' ? last.good : last
    const place = await this.#place(notify)
    const settings = await hashSettings(place)
    const start = { production: this.#context.production, notify }
    let project = [last, good].find((old) => old?.settings === settings)?.project
    let text: string | undefined
    try {
      project ??= await this.#open(place)
      text = await project.lock.readText()
      const isStart = settings !== good?.settings
      if (!isStart && text !== undefined && text === good.text) return good
      const read = isStart
        ? await startProject(project, start, text)
        : { text, plan: await readPlan(project, start, text) }
      const snapshot = createSnapshot(read.plan, this.#context)
      return { kind: 'loaded', settings, project, text: read.text, snapshot, isStart }
    } catch (error) {
      return { kind: 'failed', settings, project, text, error, good }
    }
  }

  async #place(notify?: Notify): Promise<ProjectSettings> {
    const { ids, root: from, envDir, mode, published, production } = this.#context
    const root = await findProjectFolder(from, ids.workspace)
    const warn = (message: string): void => notify?.('warn', message)
    const place = { root, name: ids.workspace, envDir, mode, published, processEnv: process.env }
    return { ...this.#shared, ...place, map: !production, warn }
  }
}

/** Opens the project of an app, whose folder is the given one or contains it. */
export async function openFrom(
  from: string,
  settings: Omit<ProjectSettings, 'root'> & { readonly name: string },
): Promise<Project> {
  return openProject({ ...settings, root: await findProjectFolder(from, settings.name) })
}

/** What all sessions of an instance share. */
export type SharedSettings = Pick<ProjectSettings, 'options' | 'configCache'>

export type OpenProject = (settings: ProjectSettings) => Promise<Project>

/** Called with what came of a read, and again if it rejects. */
export type Listener = (event: SessionEvent) => void | Promise<void>

export type SessionEvent = Loaded | Pick<Failed, 'kind' | 'error'>

/** What was read of the sources, to see later whether they have changed. */
interface ReadSources {
  /** A hash of what the project is opened from. */
  readonly settings: string
  /** The content of the lock; `undefined` if it can't be read. */
  readonly text: string | undefined
}

/** A project and the snapshot of its lock. */
export interface Loaded extends ReadSources {
  readonly kind: 'loaded'
  readonly project: Project
  readonly snapshot: Snapshot
  /** Whether the project was opened for it: then the declarations are written. */
  readonly isStart: boolean
}

interface Failed extends ReadSources {
  readonly kind: 'failed'
  /** `undefined` if it can't be opened. */
  readonly project: Project | undefined
  readonly error: unknown
  /** What stays until the sources are fixed. */
  readonly good: Loaded | undefined
}

function readText({ lock }: Project): Promise<string | undefined> {
  return lock.readText().catch(() => undefined)
}

/** @throws what the read failed of, if none before has succeeded */
function servedBy(last: Loaded | Failed): Loaded {
  if (last.kind === 'loaded') return last
  if (last.good === undefined) throw last.error
  return last.good
}
