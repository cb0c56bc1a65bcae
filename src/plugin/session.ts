import { openProject, type Project, type ProjectSettings } from '../features/project/project.ts'
import type { BuildContext } from './build-context.ts'
import type { Snapshot } from './snapshot.ts'
import { createProjectHandle } from './project-handle.ts'
import { type ServedSnapshot, SnapshotLoader } from './snapshot-loader.ts'

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
  const loader = new SnapshotLoader(handle, getContext)
  // Separate, since printing the declarations must not delay a snapshot.
  const [loads, writes] = [createQueue(), createQueue()]
  const session: Session = {
    label: getContext().ids.plugin,
    project: () => handle.get(),
    // webpack and Rspack request modules while a refresh still runs, so this waits for it.
    snapshot: async () => (await loads(() => loader.load())).snapshot,
    reload: async () => (await loads(() => loader.reload())).snapshot,
    writeDeclarations: () => writes(async () => declare(await loads(() => loader.load()))),
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
    staleSource: () =>
      loads(async () => {
        if (await handle.isStale()) return 'options'
        return (await loader.isStale()) ? 'lock' : undefined
      }),
  }
  return session
}

/** Updates the declarations to a snapshot, unless they match it. */
async function declare(served: ServedSnapshot): Promise<void> {
  if (served.hasCurrentDeclarations) return
  await served.project.writeDeclarations(served.snapshot.lock)
  served.hasCurrentDeclarations = true
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
