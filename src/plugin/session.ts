import { openProject, type Project, type ProjectSettings } from '../features/project/project.ts'
import type { BuildContext } from './build-context.ts'
import type { Snapshot } from './snapshot.ts'
import { createProjectHandle } from './project-handle.ts'
import { createSnapshotLoader } from './snapshot-loader.ts'

/** What has changed since it was read: the lock or a configuration file. */
export type StaleSource = 'lock' | 'options'

/** The state of one plugin: one project, one pull and one snapshot, shared by all its builds. */
export interface Session {
  /** The prefix of its messages. */
  readonly label: string
  /** The project; reopened when its options have changed. */
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
  /** The files to watch: the lock and the configuration files, existing or not. */
  sources(): Promise<readonly string[]>
  /**
   * What {@link Session.reload} would read again, also after a failed attempt; `undefined` if
   * nothing.
   */
  staleSource(): Promise<StaleSource | undefined>
}

/**
 * Creates the session of one plugin. Nothing is read before the first call.
 *
 * @param open - opens the project
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
      // webpack and Rspack build modules while the refresh hook still runs.
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
