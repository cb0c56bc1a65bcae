import { isSameLock } from '../core/compare.ts'
import type { Project } from '../features/project/project.ts'
import { startProject, warnOfCollisions } from '../features/start/start.ts'
import { planSnapshot, type Snapshot } from './modules.ts'
import type { ProjectHandle } from './project-handle.ts'
import type { BuildContext } from './build-context.ts'

/** What is served. */
export interface ServedSnapshot {
  readonly project: Project
  readonly snapshot: Snapshot
  /** The stamp of the lock from before it was read. */
  readonly stamp: string | undefined
  /** Whether the declarations are those of this snapshot. */
  hasCurrentDeclarations: boolean
}

/** What a session serves; one call at a time reads it again. */
export interface SnapshotLoader {
  /** What is served; the first call loads it by the pull policy. */
  load(): Promise<ServedSnapshot>
  /**
   * What is to be served of the lock and the options as they are now.
   *
   * @throws PromptsError what opening the project and reading the lock throw; what was served stays
   */
  loadAgain(): Promise<ServedSnapshot>
  /** Whether the lock has changed since the last attempt to read it, successful or not. */
  isStale(): Promise<boolean>
}

/** Makes what loads a project's lock; does nothing before it is asked. */
export function createSnapshotLoader(
  handle: ProjectHandle,
  getContext: () => BuildContext,
): SnapshotLoader {
  let served: Promise<ServedSnapshot> | undefined
  let seen: { readonly stamp: string | undefined } | undefined
  const readStamp = async (project: Project): Promise<string | undefined> => {
    const stamp = await stampOf(project)
    seen = { stamp }
    return stamp
  }
  const read = (project: Project, old?: ServedSnapshot): Promise<ServedSnapshot> =>
    old?.project === project
      ? refreshServed(old, getContext(), readStamp)
      : start(project, getContext(), readStamp)
  const load = (): Promise<ServedSnapshot> =>
    (served ??= handle.get().then((project) => read(project)))
  return {
    load,
    async loadAgain() {
      if (served === undefined) return load()
      // A start that has failed before may succeed by now.
      const old = await served.catch(() => undefined)
      const next = handle.refresh().then((project) => read(project, old))
      if (old === undefined) served = next
      const now = await next
      served = Promise.resolve(now)
      return now
    },
    isStale: async () => seen !== undefined && (await stampOf(await handle.get())) !== seen.stamp,
  }
}

/** Reads a lock's stamp; it is asked before each read of the lock. */
type ReadStamp = (project: Project) => Promise<string | undefined>

async function start(
  project: Project,
  buildContext: BuildContext,
  readStamp: ReadStamp,
): Promise<ServedSnapshot> {
  const stamp = await readStamp(project)
  const lock = await startProject(project, buildContext)
  const snapshot = planSnapshot(lock, buildContext)
  warnOfCollisions(snapshot.plan, buildContext.notify)
  // The lock may have changed since, by a pull of this start or by another program.
  return refreshServed(
    { project, snapshot, stamp, hasCurrentDeclarations: true },
    buildContext,
    readStamp,
  )
}

async function refreshServed(
  old: ServedSnapshot,
  buildContext: BuildContext,
  readStamp: ReadStamp,
): Promise<ServedSnapshot> {
  const stamp = await readStamp(old.project)
  if (stamp !== undefined && stamp === old.stamp) return old
  const lock = await old.project.readLock()
  if (isSameLock(lock, old.snapshot.lock)) return { ...old, stamp }
  return {
    ...old,
    snapshot: planSnapshot(lock, buildContext),
    stamp,
    hasCurrentDeclarations: false,
  }
}

/** The stamp of a lock; `undefined` where it can't be read. */
function stampOf({ lock }: Project): Promise<string | undefined> {
  return lock.readHash().catch(() => undefined)
}
