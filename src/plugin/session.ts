import { realpath } from 'node:fs/promises'
import type { ModuleShape } from '../codegen/print-module.ts'
import { isSameLock } from '../core/compare.ts'
import type { Lock } from '../core/prompt.ts'
import { findProjectFolder } from '../config/config-file.ts'
import { asPromptsError, isPromptsError, type PromptsError } from '../errors/prompts-error.ts'
import { openProject, type Project, type ProjectSettings } from '../features/project/project.ts'
import { hashFiles, settingsFiles } from '../features/project/settings-files.ts'
import { type Start, startProject, warnOfCollisions } from '../features/start/start.ts'
import { type FileWatcher, watchFiles } from '../fs/watch.ts'
import type { WorkspaceIds } from './ids.ts'
import type { ReadImporter } from './importers.ts'
import { planSnapshot, type Snapshot } from './snapshot.ts'

/** What the bundler reports about a build or dev server before it starts. */
export interface BuildContext
  extends Start, Pick<ProjectSettings, 'root' | 'envDir' | 'mode' | 'published'> {
  readonly ids: WorkspaceIds
  /** Whether each importer gets only what it uses: in builds, not in dev servers. */
  readonly byUse: boolean
  /** Whether the app has no server: all its code is client code. */
  readonly singlePage: boolean
  /** The form of a module for one importer. */
  readonly shape: ModuleShape
  /**
   * Whether a change of the lock rebuilds all modules. A dev server with hot updates requests only
   * the changed ones instead.
   */
  readonly watched: boolean
  /** Expressions that the bundler may insert into modules after all plugins. */
  readonly replacements: readonly string[]
  readonly readImporter: ReadImporter
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
  const session: Session = {
    label: context.ids.plugin,
    project: () => projects.current(),
    // webpack and Rspack request modules while a refresh still runs, so this waits for it.
    snapshot: async () => (await loads(snapshots.current)).snapshot,
    reload: async () => (await loads(snapshots.reload)).snapshot,
    writeDeclarations: () => writes(async () => declare(await loads(snapshots.current))),
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
      const files = await projects.settingsFiles()
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

async function declare(served: Served): Promise<void> {
  if (served.isDeclared) return
  await served.project.writeDeclarations(served.snapshot.lock)
  served.isDeclared = true
}

/** The snapshots of a session, which makes one call at a time. */
interface Snapshots {
  /** @throws PromptsError that of the last load, if none has succeeded */
  current(): Promise<Served>
  /** @throws PromptsError what reading the lock throws; `current` still returns the last snapshot */
  reload(): Promise<Served>
  /** Whether the lock has changed since the last attempt to read it, even a failed one. */
  isStale(): Promise<boolean>
}

/** A snapshot with its project. */
interface Served {
  readonly project: Project
  readonly snapshot: Snapshot
  /** The hashes of the files of the locks, taken before they were read. */
  readonly hash: string | undefined
  /** Whether the declarations match this snapshot. */
  isDeclared: boolean
}

function createSnapshots(projects: Projects, context: BuildContext): Snapshots {
  const served = lastGood<Served>()
  let lastRead: { readonly hash: string | undefined } | undefined
  const readHash = async (project: Project): Promise<string | undefined> => {
    // Before the locks are read, so a change in between is detected.
    lastRead = { hash: await hashOfLocks(project) }
    return lastRead.hash
  }
  const start = async (project: Project): Promise<Served> => {
    const hash = await readHash(project)
    const lock = await startProject(project, context)
    const snapshot = planSnapshot({ lock, testLock: await readTestLock(project) }, context)
    warnOfCollisions(snapshot.plan, context.notify)
    const started = { project, snapshot, hash, isDeclared: true }
    const hasPulled = hash === undefined || project.options.pull === 'always'
    return hasPulled ? update(started) : started
  }
  const update = async (old: Served): Promise<Served> => {
    const { project, snapshot } = old
    const hash = await readHash(project)
    if (hash !== undefined && hash === old.hash) return old
    const lock = await project.readLock()
    const testLock = await readTestLock(project)
    if (isSameLock(lock, snapshot.lock) && isSameTestLock(testLock, snapshot.testLock))
      return { ...old, hash }
    return { project, snapshot: planSnapshot({ lock, testLock }, context), hash, isDeclared: false }
  }
  const first = async (): Promise<Served> => start(await projects.current())
  const again = async (old: Served | undefined): Promise<Served> => {
    const project = await projects.refresh()
    return old?.project === project ? update(old) : start(project)
  }
  return {
    current: () => served.last() ?? served.next(first()),
    async reload() {
      const last = served.last()
      if (last === undefined) return served.next(first())
      return served.next(again(await last.catch(() => undefined)))
    },
    isStale: async () =>
      lastRead !== undefined && (await hashOfLocks(await projects.current())) !== lastRead.hash,
  }
}

/** The hashes of the lock and the test lock; `undefined` if the lock can't be read. */
async function hashOfLocks({ lock, options }: Project): Promise<string | undefined> {
  const hash = await lock.readHash().catch(() => undefined)
  return hash && `${hash} ${await hashFiles([options.testLock])}`
}

/** The test lock, or why it can't be read. Apps that don't import it need none. */
function readTestLock(project: Project): Promise<Lock | PromptsError> {
  return project.readTestLock().catch(asPromptsError)
}

function isSameTestLock(before: Lock | PromptsError, after: Lock | PromptsError): boolean {
  if (isPromptsError(before)) return isPromptsError(after) && before.message === after.message
  return !isPromptsError(after) && isSameLock(before, after)
}

/** The project of a session, which is opened again when its configuration changes. */
interface Projects {
  current(): Promise<Project>
  /** @throws PromptsError what {@link openProject} throws; `current` still returns the last project */
  refresh(): Promise<Project>
  /** The configuration and env files, existing or not. */
  settingsFiles(): Promise<readonly string[]>
  /** Whether these have changed since the last attempt to open the project, even a failed one. */
  isStale(): Promise<boolean>
}

function createProjects(
  options: ProjectSettings['options'],
  { ids, root: from, envDir, mode, published, production, notify }: BuildContext,
  open: typeof openProject,
): Projects {
  const name = ids.workspace
  const opened = lastGood<Opened>()
  let lastRead: Settings | undefined
  const locate = async (): Promise<Pick<ProjectSettings, 'root' | 'name' | 'envDir' | 'mode'>> => ({
    root: await findProjectFolder(from, name),
    name,
    envDir,
    mode,
  })
  const openNow = async (): Promise<Opened> => {
    const place = await locate()
    const files = settingsFiles(place)
    // Before the files are read, so a change in between is detected.
    const settings = { files, hash: await hashFiles(files) }
    lastRead = settings
    const warn = (message: string): void => notify('warn', message)
    const map = !production
    const request = { ...place, published, options, processEnv: process.env, map, warn }
    return { settings, project: await open(request) }
  }
  return {
    current: async () => (await (opened.last() ?? opened.next(openNow()))).project,
    async refresh() {
      const last = await opened.last()?.catch(() => undefined)
      if (last !== undefined && !(await isChanged(last.settings))) return last.project
      return (await opened.next(openNow())).project
    },
    settingsFiles: async () => settingsFiles(await locate()),
    isStale: async () => lastRead !== undefined && isChanged(lastRead),
  }
}

interface Opened {
  readonly project: Project
  readonly settings: Settings
}

interface Settings {
  readonly files: readonly string[]
  readonly hash: string | undefined
}

async function isChanged({ files, hash }: Settings): Promise<boolean> {
  return (await hashFiles(files)) !== hash
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

/** Creates a function that runs tasks one after the other, also after one that fails. */
function createQueue(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const next = last.then(task, task)
    last = next
    return next
  }
}
