import { openProject, type Project, type ProjectSettings } from '../features/project/project.ts'
import type { Start } from '../features/start/start.ts'
import type { WorkspaceIds } from './ids.ts'
import type { ReadImporter } from './importers.ts'
import type { Snapshot } from './modules.ts'
import { createOpenedProject } from './opened-project.ts'
import { createSnapshotLoader } from './snapshot-loader.ts'

/** Where a build or dev server runs; the bundler tells it before anything starts. */
export interface Surroundings
  extends Start, Pick<ProjectSettings, 'root' | 'envDir' | 'mode' | 'published'> {
  readonly ids: WorkspaceIds
  /** The bundler's name, as unplugin calls it. */
  readonly bundler: string
  /** Whether each importer gets just what it uses: in builds, and not where modules are served. */
  readonly byUse: boolean
  /**
   * Whether modules are to be built again when the lock changes. A dev server with hot updates
   * asks for what has changed, and would else fetch them all again.
   */
  readonly watched: boolean
  /** Expressions that the bundler may put into modules when all plugins have seen them. */
  readonly replacements: readonly string[]
  /** How to read a module that imports prompts. */
  readonly readImporter: ReadImporter
  /**
   * For an import in code for the browser, the chain of modules that leads to it: the importer,
   * what imports that, and so on. `undefined` for all other code.
   *
   * @param context - `this` of the hook
   */
  readonly clientChain: (importer: string, context: object) => ClientChain | Promise<ClientChain>
}

type ClientChain = readonly string[] | undefined

/** What has changed since it was read: the lock, or a file that the options come from. */
export type Stale = 'lock' | 'options'

/** One plugin's work: one project, one pull, one load, however many builds ask. */
export interface Session {
  /** What messages about it begin with. */
  readonly label: string
  /** The project; opened again when its options have changed. */
  project(): Promise<Project>
  /** The snapshot that is served; the first call loads it by the pull policy. */
  snapshot(): Promise<Snapshot>
  /**
   * The snapshot of the lock and the options as they are now: read again if a file has changed.
   * While that fails, {@link Session.snapshot} gives the last good one.
   */
  reload(): Promise<Snapshot>
  /** Brings the declarations up to date with what is served; the last of several calls wins. */
  declare(): Promise<void>
  /** Reloads and declares. */
  refresh(): Promise<Snapshot>
  /** The files to watch: the lock, and those of the options, whether they exist or not. */
  sources(): Promise<readonly string[]>
  /** What {@link Session.reload} has to read again, after a failed attempt too; else `undefined`. */
  stale(): Promise<Stale | undefined>
}

/**
 * Makes the session of one plugin; does nothing before it is asked.
 *
 * @param open - opens its project
 */
export function createSession(
  options: ProjectSettings['options'],
  surroundings: () => Surroundings,
  open: typeof openProject = openProject,
): Session {
  const opened = createOpenedProject(options, surroundings, open)
  const loader = createSnapshotLoader(opened, surroundings)
  let reloading: Promise<unknown> = Promise.resolve()
  let declaring: Promise<unknown> = Promise.resolve()
  const readAgain = async (): Promise<Snapshot> => (await loader.loadAgain()).snapshot
  const declareServed = async (): Promise<void> => {
    const now = await loader.load()
    if (now.isDeclared) return
    await now.project.writeDeclarations(now.snapshot.lock)
    now.isDeclared = true
  }
  const session: Session = {
    label: surroundings().ids.plugin,
    project: () => opened.last(),
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
    declare() {
      const next = declaring.then(declareServed, declareServed)
      declaring = next
      return next
    },
    async refresh() {
      const snapshot = await session.reload()
      await session.declare()
      return snapshot
    },
    async sources() {
      const files = await opened.files()
      const project = await opened.last().catch(() => undefined)
      return project === undefined ? files : [project.lock.path, ...files]
    },
    async stale() {
      await reloading.catch(() => undefined)
      if (await opened.isStale()) return 'options'
      return (await loader.isStale()) ? 'lock' : undefined
    },
  }
  return session
}
