import { isSameLock } from '../core/compare.ts'
import type { Lock } from '../core/prompt.ts'
import type { Project } from '../features/project/project.ts'
import { startProject, warnOfCollisions } from '../features/start/start.ts'
import { planSnapshot, type Snapshot } from './snapshot.ts'
import type { ProjectHandle } from './project-handle.ts'
import type { BuildContext } from './build-context.ts'

/** The current snapshot with its project. */
export interface ServedSnapshot {
  readonly project: Project
  readonly snapshot: Snapshot
  /** The hash of the lock's file, taken before it was read. */
  readonly lockHash: string | undefined
  /** Whether the declarations match this snapshot. */
  hasCurrentDeclarations: boolean
}

/** Loads snapshots for a session, one call at a time. */
export interface SnapshotLoader {
  /** The current snapshot. The first call loads it, following the option `pull`. */
  load(): Promise<ServedSnapshot>
  /**
   * Loads the lock and the configuration again.
   *
   * @throws PromptsError what opening the project and reading the lock throw; the current snapshot
   *   stays
   */
  loadAgain(): Promise<ServedSnapshot>
  /** Whether the lock has changed since the last attempt to read it, even a failed one. */
  isStale(): Promise<boolean>
}

/** Creates the loader. Nothing is read before the first call. */
export function createSnapshotLoader(
  handle: ProjectHandle,
  getContext: () => BuildContext,
): SnapshotLoader {
  let served: Promise<ServedSnapshot> | undefined
  let seen: { readonly lockHash: string | undefined } | undefined
  const readLockHash = async (project: Project): Promise<string | undefined> => {
    const lockHash = await hashOfLock(project)
    seen = { lockHash }
    return lockHash
  }
  const read = (project: Project, old?: ServedSnapshot): Promise<ServedSnapshot> =>
    old?.project === project
      ? refreshServed(old, getContext(), readLockHash)
      : start(project, getContext(), readLockHash)
  const load = (): Promise<ServedSnapshot> =>
    (served ??= handle.get().then((project) => read(project)))
  return {
    load,
    async loadAgain() {
      if (served === undefined) return load()
      // A start that failed before may succeed now.
      const old = await served.catch(() => undefined)
      const next = handle.refresh().then((project) => read(project, old))
      if (old === undefined) served = next
      const now = await next
      served = Promise.resolve(now)
      return now
    },
    isStale: async () =>
      seen !== undefined && (await hashOfLock(await handle.get())) !== seen.lockHash,
  }
}

/** Reads the hash of a lock's file. Called before each read of the lock. */
type ReadLockHash = (project: Project) => Promise<string | undefined>

async function start(
  project: Project,
  buildContext: BuildContext,
  readLockHash: ReadLockHash,
): Promise<ServedSnapshot> {
  const lockHash = await readLockHash(project)
  const lock = await startProject(project, buildContext)
  const snapshot = planServed(lock, project, buildContext)
  warnOfCollisions(snapshot.plan, buildContext.notify)
  // The lock may have changed in the meantime, through this pull or another program.
  return refreshServed(
    { project, snapshot, lockHash, hasCurrentDeclarations: true },
    buildContext,
    readLockHash,
  )
}

async function refreshServed(
  old: ServedSnapshot,
  buildContext: BuildContext,
  readLockHash: ReadLockHash,
): Promise<ServedSnapshot> {
  const lockHash = await readLockHash(old.project)
  if (lockHash !== undefined && lockHash === old.lockHash) return old
  const lock = await old.project.readLock()
  if (isSameLock(lock, old.snapshot.lock)) return { ...old, lockHash }
  return {
    ...old,
    snapshot: planServed(lock, old.project, buildContext),
    lockHash,
    hasCurrentDeclarations: false,
  }
}

function planServed(lock: Lock, { options }: Project, buildContext: BuildContext): Snapshot {
  return planSnapshot(lock, { ...buildContext, isolated: buildContext.byUse && options.manifest })
}

/** The hash of a lock's file; `undefined` if it can't be read. */
function hashOfLock({ lock }: Project): Promise<string | undefined> {
  return lock.readHash().catch(() => undefined)
}
