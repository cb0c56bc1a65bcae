import { isSameLock } from '../core/compare.ts'
import type { Project } from '../features/project/project.ts'
import { startProject, warnOfCollisions } from '../features/start/start.ts'
import { planSnapshot, type Snapshot } from './modules.ts'
import type { OpenedProject } from './opened-project.ts'
import type { Surroundings } from './session.ts'

/** What is served. */
export interface Served {
  readonly project: Project
  readonly snapshot: Snapshot
  /** The stamp of the lock from before it was read. */
  readonly stamp: string | undefined
  /** Whether the declarations are those of this snapshot. */
  isDeclared: boolean
}

/** What a session serves; one call at a time reads it again. */
export interface SnapshotLoader {
  /** What is served; the first call loads it by the pull policy. */
  load(): Promise<Served>
  /**
   * What is to be served of the lock and the options as they are now.
   *
   * @throws PromptsError what opening the project and reading the lock throw; what was served stays
   */
  loadAgain(): Promise<Served>
  /** Whether the lock has changed since the last attempt to read it, successful or not. */
  isStale(): Promise<boolean>
}

/** Makes what loads a project's lock; does nothing before it is asked. */
export function createSnapshotLoader(
  opened: OpenedProject,
  surroundings: () => Surroundings,
): SnapshotLoader {
  let served: Promise<Served> | undefined
  let seen: { readonly stamp: string | undefined } | undefined
  const readStamp = async (project: Project): Promise<string | undefined> => {
    const stamp = await stampOf(project)
    seen = { stamp }
    return stamp
  }
  const read = (project: Project, old?: Served): Promise<Served> =>
    old?.project === project
      ? freshest(old, surroundings(), readStamp)
      : start(project, surroundings(), readStamp)
  const load = (): Promise<Served> => (served ??= opened.last().then((project) => read(project)))
  return {
    load,
    async loadAgain() {
      if (served === undefined) return load()
      // A start that has failed before may succeed by now.
      const old = await served.catch(() => undefined)
      const next = opened.current().then((project) => read(project, old))
      if (old === undefined) served = next
      const now = await next
      served = Promise.resolve(now)
      return now
    },
    isStale: async () => seen !== undefined && (await stampOf(await opened.last())) !== seen.stamp,
  }
}

/** Reads a lock's stamp; it is asked before each read of the lock. */
type ReadStamp = (project: Project) => Promise<string | undefined>

async function start(
  project: Project,
  surroundings: Surroundings,
  readStamp: ReadStamp,
): Promise<Served> {
  const stamp = await readStamp(project)
  const lock = await startProject(project, surroundings)
  const snapshot = planSnapshot(lock, surroundings)
  warnOfCollisions(snapshot.plan, surroundings.notify)
  // The lock may have changed since, by a pull of this start or by another program.
  return freshest({ project, snapshot, stamp, isDeclared: true }, surroundings, readStamp)
}

async function freshest(
  old: Served,
  surroundings: Surroundings,
  readStamp: ReadStamp,
): Promise<Served> {
  const stamp = await readStamp(old.project)
  if (stamp !== undefined && stamp === old.stamp) return old
  const lock = await old.project.readLock()
  if (isSameLock(lock, old.snapshot.lock)) return { ...old, stamp }
  return { ...old, snapshot: planSnapshot(lock, surroundings), stamp, isDeclared: false }
}

/** The stamp of a lock; `undefined` where it can't be read. */
function stampOf({ lock }: Project): Promise<string | undefined> {
  return lock.stamp().catch(() => undefined)
}
