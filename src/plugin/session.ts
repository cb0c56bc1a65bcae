import { openProject, type Project, type ProjectSettings } from '../features/project/project.ts'
import type { BuildContext } from './build-context.ts'
import type { Snapshot } from './modules.ts'
import { createProjectHandle } from './project-handle.ts'
import { createSnapshotLoader } from './snapshot-loader.ts'

/** What has changed since it was read: the lock, or a file that the options come from. */
export type StaleSource = 'lock' | 'options'

/** One plugin's work: one project, one pull, one load, however many builds ask. */
export interface Session {
  /** What messages about it begin with. */
  readonly label: string
  /** The project; reopened when its options have changed. */
  project(): Promise<Project>
  /** The snapshot that is served; the first call loads it by the pull policy. */
  snapshot(): Promise<Snapshot>
  /**
   * The snapshot of the lock and the options as they are now: read again if a file has changed.
   * While that fails, {@link Session.snapshot} gives the last good one.
   */
  reload(): Promise<Snapshot>
  /** Brings the declarations up to date with what is served; the last of several calls wins. */
  writeDeclarations(): Promise<void>
  /** Reloads and declares. */
  refresh(): Promise<Snapshot>
  /** The files to watch: the lock, and those of the options, whether they exist or not. */
  sources(): Promise<readonly string[]>
  /** What {@link Session.reload} has to read again, after a failed attempt too; else `undefined`. */
  staleSource(): Promise<StaleSource | undefined>
}

/**
 * Makes the session of one plugin; does nothing before it is asked.
 *
 * @param open - opens its project
 */
export function createSession(
  options: ProjectSettings['options'],
  getContext: () => BuildContext,
  open: typeof openProject = openProject,
): Session {
  const handle = createProjectHandle(options, getContext, open)
  const loader = createSnapshotLoader(handle, getContext)
  let reloading: Promise<unknown> = Promise.resolve()
  let declaring: Promise<unknown> = Promise.resolve()
  const readAgain = async (): Promise<Snapshot> => (await loader.loadAgain()).snapshot
  const declareServed = async (): Promise<void> => {
    const now = await loader.load()
    if (now.hasCurrentDeclarations) return
    await now.project.writeDeclarations(now.snapshot.lock)
    now.hasCurrentDeclarations = true
  }
  const session: Session = {
    label: getContext().ids.plugin,
    project: () => handle.get(),
    async snapshot() {
      // webpack and Rspack build modules while the hook that refreshes is still at work.
      await reloading.catch(() => undefined)
      return (await loader.load()).snapshot
    },
    reload() {
      const next = reloading.then(readAgain, readAgain)
      reloading = next
      return next
    },
    writeDeclarations() {
      const next = declaring.then(declareServed, declareServed)
      declaring = next
      return next
    },
    async refresh() {
      const snapshot = await session.reload()
      await session.writeDeclarations()
      return snapshot
    },
    async sources() {
      const files = await handle.settingsFiles()
      const project = await handle.get().catch(() => undefined)
      return project === undefined ? files : [project.lock.path, ...files]
    },
    async staleSource() {
      await reloading.catch(() => undefined)
      if (await handle.isStale()) return 'options'
      return (await loader.isStale()) ? 'lock' : undefined
    },
  }
  return session
}
