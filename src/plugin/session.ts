import { realpath } from 'node:fs/promises'
import type { ParseModule } from '../codegen/assert-only-data.ts'
import { createQueue } from '../core/queue.ts'
import { findProjectFolder } from '../config/config-file.ts'
import { openProject, type Project, type ProjectSettings } from '../features/project/project.ts'
import { hashFiles, settingsFiles } from '../features/project/settings-files.ts'
import { type Start, readLocks, startProject } from '../features/start/start.ts'
import { type FileWatcher, watchFiles } from '../fs/watch.ts'
import type { WorkspaceIds } from './ids.ts'
import type { ReadImporter } from './importers.ts'
import { planSnapshot, type Snapshot, type SnapshotSettings } from './snapshot.ts'

/** What the bundler reports about a build or dev server before it starts. */
export interface BuildContext
  extends Start, SnapshotSettings, Pick<ProjectSettings, 'root' | 'envDir' | 'mode' | 'published'> {
  readonly ids: WorkspaceIds
  /** Whether the app has no server: all its code is client code. */
  readonly singlePage: boolean
  /**
   * Whether a change of the lock rebuilds all modules. A dev server with hot updates requests only
   * the changed ones instead.
   */
  readonly watched: boolean
  /** Expressions that the bundler may insert into modules after all plugins. */
  readonly replacements: readonly string[]
  /** Absent in bundlers that drop unused prompts by themselves, and until the bundler sets it. */
  readonly readImporter?: ReadImporter
  /** The parser of a load hook, by its `this`. */
  readonly parserOf: (context: object) => ParseModule
  /**
   * For an import in client code, the chain of modules that leads to it, the importer first.
   * `undefined` for other code.
   *
   * @param context - `this` of the hook
   */
  readonly clientChain: (importer: string, context: object) => ClientChain | Promise<ClientChain>
}

type ClientChain = readonly string[] | undefined

/** What has changed since it was read: the lock or a configuration file. */
export type StaleSource = 'lock' | 'options'

/**
 * The current snapshot of a project, and what happens when the lock or the options change. Builds with
 * the same context share a session, and so one pull.
 */
export interface Session {
  /** The prefix of its messages. */
  readonly label: string
  /** The project as last opened. The first call opens it. */
  project(): Promise<Project>
  /** The current snapshot. The first call loads it, following the option `pull`. */
  snapshot(): Promise<Snapshot>
  /**
   * Reads the lock and the configuration again if a file has changed. After a failure, {@link
   * Session.snapshot} returns the last good snapshot.
   */
  reload(): Promise<Snapshot>
  /** Updates the declarations to the current snapshot. The last of several calls wins. */
  writeDeclarations(): Promise<void>
  /** Reloads and updates the declarations. */
  refresh(): Promise<Snapshot>
  /** The paths of the lock and the test lock, if it exists, and of the targets of links. */
  lockPaths(): Promise<readonly string[]>
  /** The files to watch: the locks and the configuration files, existing or not. */
  sources(): Promise<readonly string[]>
  /**
   * What {@link Session.reload} would read again, also after a failed attempt; `undefined` if
   * nothing.
   */
  staleSource(): Promise<StaleSource | undefined>
  /** Calls `onStale` when a source differs from what was read, until the watcher is closed. */
  watch(onStale: (what: StaleSource) => Promise<void>): Promise<FileWatcher>
}

/**
 * Milliseconds between two checks of the sources. A bundler's own watcher is usually faster. This one
 * finds what it misses: a change before it starts, and a change of a link's target.
 */
const INTERVAL = 200

/** Creates a session. Nothing is read before the first call. */
export function createSession(
  options: ProjectSettings['options'],
  context: BuildContext,
  open: typeof openProject = openProject,
): Session {
  const projects = createProjects(options, context, open)
  const snapshots = createSnapshots(projects, context)
  // Separate, since printing the declarations must not delay a snapshot.
  const [loads, writes] = [createQueue(), createQueue()]
  let lastDeclared: Snapshot | undefined
  const session: Session = {
    label: context.ids.plugin,
    project: projects.current,
    // webpack and Rspack request modules while a refresh still runs, so this waits for it.
    snapshot: async () => (await loads(snapshots.current)).snapshot,
    reload: async () => (await loads(snapshots.refresh)).snapshot,
    writeDeclarations: () =>
      writes(async () => {
        const { project, snapshot, isDeclared } = await loads(snapshots.current)
        if (isDeclared || snapshot === lastDeclared) return
        await project.writeDeclarations(snapshot.lock)
        lastDeclared = snapshot
      }),
    async refresh() {
      const snapshot = await session.reload()
      await session.writeDeclarations()
      return snapshot
    },
    async lockPaths() {
      const { lock, testLock } = (await projects.current()).options
      // webpack rebuilds without end if it watches a file that does not exist.
      const target = await realpath(testLock).catch(() => undefined)
      const paths = target === undefined ? [] : [testLock, target]
      return [...new Set([lock, await realpath(lock).catch(() => lock), ...paths])]
    },
    async sources() {
      const files = settingsFiles(await locate(context))
      const project = await projects.current().catch(() => undefined)
      if (project === undefined) return files
      return [...new Set([project.lock.path, project.options.testLock]), ...files]
    },
    staleSource: () =>
      loads(async () => {
        if (await projects.isStale()) return 'options'
        return (await snapshots.isStale()) ? 'lock' : undefined
      }),
    watch: async (onStale) =>
      watchFiles({
        paths: await session.sources(),
        interval: INTERVAL,
        async onChange() {
          const what = await session.staleSource()
          if (what !== undefined) await onStale(what)
        },
      }),
  }
  return session
}

/** A value that is read from files. */
interface Source<Value> {
  /** The last good value; until there is one, the last attempt. The first call reads it. */
  current(): Promise<Value>
  /** Reads it again if its files have changed. After a failure, `current` has the last good one. */
  refresh(): Promise<Value>
  /** Whether its files have changed since the last attempt to read them, even a failed one. */
  isStale(): Promise<boolean>
}

/** A snapshot with its project. */
interface ProjectSnapshot {
  readonly project: Project
  readonly snapshot: Snapshot
  /** Of the locks, taken before they were read. */
  readonly hash: string | undefined
  /** Whether the start has updated the declarations to it. */
  readonly isDeclared: boolean
}

function createSnapshots(
  projects: Source<Project>,
  context: BuildContext,
): Source<ProjectSnapshot> {
  const attempts = lastGood<ProjectSnapshot>()
  let lastRead: Pick<ProjectSnapshot, 'hash'> | undefined
  const load = async (old?: ProjectSnapshot): Promise<ProjectSnapshot> => {
    const project = await projects.refresh()
    const isStart = project !== old?.project
    // Before the locks are read, so a change in between is detected.
    const hash = await hashLocks(project)
    lastRead = { hash }
    if (!isStart && hash !== undefined && hash === old.hash) return old
    const locks = await (isStart ? startProject(project, context) : readLocks(project))
    const snapshot = planSnapshot(locks, context)
    const next = { project, snapshot, hash, isDeclared: isStart }
    // A pull has changed the lock since its hash was taken.
    const hasPulled = isStart && (hash === undefined || project.options.pull === 'always')
    return hasPulled ? load(next) : next
  }
  return {
    current: async () => attempts.last() ?? attempts.next(load()),
    refresh: async () => attempts.next(load(await attempts.last()?.catch(() => undefined))),
    isStale: async () =>
      lastRead !== undefined && (await hashLocks(await projects.current())) !== lastRead.hash,
  }
}

/** The hash of the locks; `undefined` if the lock can't be read. */
async function hashLocks({ lock, options }: Project): Promise<string | undefined> {
  const hash = await lock.readHash().catch(() => undefined)
  return hash && `${hash} ${await hashFiles([options.testLock])}`
}

function createProjects(
  options: ProjectSettings['options'],
  context: BuildContext,
  open: typeof openProject,
): Source<Project> {
  const { published, production, notify } = context
  const attempts = lastGood<OpenProject>()
  let lastRead: string | undefined
  const openNow = async (): Promise<OpenProject> => {
    // Before the files are read, so a change in between is detected.
    const hash = await hashSettings(context)
    lastRead = hash
    const warn = (message: string): void => notify('warn', message)
    const place = await locate(context)
    const request = { ...place, published, options, processEnv: process.env, warn }
    return { hash, project: await open({ ...request, map: !production }) }
  }
  return {
    current: async () => (await (attempts.last() ?? attempts.next(openNow()))).project,
    async refresh() {
      const attempt = attempts.last()
      const last = attempt && (await attempt.catch(() => undefined))
      const isFresh = last !== undefined && last.hash === (await hashSettings(context))
      return isFresh ? last.project : (await attempts.next(openNow())).project
    },
    isStale: async () => lastRead !== undefined && lastRead !== (await hashSettings(context)),
  }
}

interface OpenProject {
  readonly project: Project
  /** Of the configuration and env files, taken before they were read. */
  readonly hash: string
}

type ProjectPlace = Pick<ProjectSettings, 'root' | 'name' | 'envDir' | 'mode'>

async function locate({ ids, root, envDir, mode }: BuildContext): Promise<ProjectPlace> {
  const name = ids.workspace
  return { root: await findProjectFolder(root, name), name, envDir, mode }
}

async function hashSettings(context: BuildContext): Promise<string> {
  return hashFiles(settingsFiles(await locate(context)))
}

/** Keeps the last attempt that succeeded; until one has, the last attempt. */
function lastGood<Result>(): {
  last(): Promise<Result> | undefined
  next(attempt: Promise<Result>): Promise<Result>
} {
  let last: Promise<Result> | undefined
  let isGood = false
  return {
    last: () => last,
    async next(attempt) {
      if (!isGood) last = attempt
      const result = await attempt
      last = attempt
      isGood = true
      return result
    },
  }
}
