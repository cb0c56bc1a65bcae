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

type State =
  /** Nothing was loaded yet. */
  | { readonly kind: 'empty' }
  /** No load has succeeded; the error is that of the last one. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The last load that succeeded. Later ones may have failed. */
  | { readonly kind: 'served'; readonly served: ServedSnapshot }

/** Loads the snapshots of a session, which makes one call at a time. Nothing is read before the first. */
export class SnapshotLoader {
  readonly #handle: ProjectHandle
  readonly #getContext: () => BuildContext
  #state: State = { kind: 'empty' }
  /** The lock at the last attempt to read it. */
  #lastRead: { readonly lockHash: string | undefined } | undefined

  constructor(handle: ProjectHandle, getContext: () => BuildContext) {
    this.#handle = handle
    this.#getContext = getContext
  }

  /**
   * The current snapshot. The first call loads it, following the option `pull`.
   *
   * @throws PromptsError that of the last load, if none has succeeded
   */
  async load(): Promise<ServedSnapshot> {
    const state = this.#state
    if (state.kind === 'failed') throw state.error
    return state.kind === 'served' ? state.served : this.#update(this.#handle.get())
  }

  /**
   * Loads the lock and the configuration again.
   *
   * @throws PromptsError what opening the project and reading the lock throw; the current snapshot
   *   stays
   */
  reload(): Promise<ServedSnapshot> {
    const isFirst = this.#state.kind === 'empty'
    return this.#update(isFirst ? this.#handle.get() : this.#handle.refresh())
  }

  /** Whether the lock has changed since the last attempt to read it, even a failed one. */
  async isStale(): Promise<boolean> {
    if (this.#lastRead === undefined) return false
    const { lockHash } = this.#lastRead
    return (await hashOfLock(await this.#handle.get())) !== lockHash
  }

  async #update(opening: Promise<Project>): Promise<ServedSnapshot> {
    try {
      const project = await opening
      const old = this.#state.kind === 'served' ? this.#state.served : undefined
      const served = await (old?.project === project ? this.#refresh(old) : this.#start(project))
      this.#state = { kind: 'served', served }
      return served
    } catch (error) {
      if (this.#state.kind !== 'served') this.#state = { kind: 'failed', error }
      throw error
    }
  }

  async #start(project: Project): Promise<ServedSnapshot> {
    const lockHash = await this.#readLockHash(project)
    const buildContext = this.#getContext()
    const lock = await startProject(project, buildContext)
    const snapshot = planServed(lock, project, buildContext)
    warnOfCollisions(snapshot.plan, buildContext.notify)
    // The lock may have changed in the meantime, through this pull or another program.
    return this.#refresh({ project, snapshot, lockHash, hasCurrentDeclarations: true })
  }

  async #refresh(old: ServedSnapshot): Promise<ServedSnapshot> {
    const { project } = old
    const lockHash = await this.#readLockHash(project)
    if (lockHash !== undefined && lockHash === old.lockHash) return old
    const lock = await project.readLock()
    if (isSameLock(lock, old.snapshot.lock)) return { ...old, lockHash }
    const snapshot = planServed(lock, project, this.#getContext())
    return { project, snapshot, lockHash, hasCurrentDeclarations: false }
  }

  /** Called before each read of the lock, so that a change during the read is found later. */
  async #readLockHash(project: Project): Promise<string | undefined> {
    const lockHash = await hashOfLock(project)
    this.#lastRead = { lockHash }
    return lockHash
  }
}

function planServed(lock: Lock, { options }: Project, buildContext: BuildContext): Snapshot {
  return planSnapshot(lock, { ...buildContext, isolated: buildContext.byUse && options.manifest })
}

/** The hash of a lock's file; `undefined` if it can't be read. */
function hashOfLock({ lock }: Project): Promise<string | undefined> {
  return lock.readHash().catch(() => undefined)
}
