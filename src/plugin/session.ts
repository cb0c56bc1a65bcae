import { isSameLock } from '../core/compare.ts'
import { projectFolder } from '../io/project-folder.ts'
import { openProject, type Project, type ProjectSettings } from '../project.ts'
import { type Start, startProject, warnOfCollisions } from '../start.ts'
import type { WorkspaceIds } from './ids.ts'
import type { ReadImporter } from './importers.ts'
import { planSnapshot, type Snapshot } from './modules.ts'

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

/** One plugin's work: one project, one pull, one load, however many builds ask (FAULTS 58). */
export interface Session {
  /** What messages about it begin with. */
  readonly label: string
  /** The project, opened once. */
  project(): Promise<Project>
  /** The snapshot that is served; the first call loads it by the pull policy. */
  snapshot(): Promise<Snapshot>
  /**
   * The snapshot of the lock as it is now: read again where the file has changed. While that
   * fails, {@link Session.snapshot} gives the last good one.
   */
  reload(): Promise<Snapshot>
  /** Brings the declarations up to date with what is served; the last of several calls wins. */
  declare(): Promise<void>
  /** Reloads and declares. */
  refresh(): Promise<Snapshot>
}

/** Makes the session of one plugin; does nothing before it is asked. */
export function createSession(
  options: ProjectSettings['options'],
  surroundings: () => Surroundings,
): Session {
  let project: Promise<Project> | undefined
  let served: Promise<Served> | undefined
  let reloading: Promise<unknown> = Promise.resolve()
  let declaring: Promise<unknown> = Promise.resolve()

  const session: Session = {
    label: surroundings().ids.plugin,
    project: () => (project ??= open(options, surroundings())),
    async snapshot() {
      // webpack and Rspack build modules while the hook that refreshes is still at work.
      await reloading.catch(() => undefined)
      return (await load()).snapshot
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
  }
  return session

  function load(): Promise<Served> {
    return (served ??= start(session, surroundings()))
  }

  async function readAgain(): Promise<Snapshot> {
    const isFirst = served === undefined
    const started = load()
    // A start that has failed before may succeed by now.
    const old = isFirst ? await started : await started.catch(() => undefined)
    if (old === undefined) served = start(session, surroundings())
    else served = Promise.resolve(await freshest(old, await session.project(), surroundings()))
    return (await served).snapshot
  }

  async function declareServed(): Promise<void> {
    const now = await load()
    if (now.isDeclared) return
    await (await session.project()).writeDeclarations(now.snapshot.lock)
    now.isDeclared = true
  }
}

/** What is served. */
interface Served {
  readonly snapshot: Snapshot
  /** The mark of the file that it was read from. */
  readonly stamp: string | undefined
  /** Whether the declarations are those of this snapshot. */
  isDeclared: boolean
}

async function freshest(
  old: Served,
  project: Project,
  surroundings: Surroundings,
): Promise<Served> {
  const stamp = await project.lock.stamp()
  if (stamp === old.stamp) return old
  const lock = await project.readLock()
  if (isSameLock(lock, old.snapshot.lock)) return { ...old, stamp }
  return { snapshot: planSnapshot(lock, surroundings), stamp, isDeclared: false }
}

async function open(
  options: ProjectSettings['options'],
  { ids, root: from, envDir, mode, published, notify }: Surroundings,
): Promise<Project> {
  const warn = (message: string): void => notify('warn', message)
  const name = ids.workspace
  const root = await projectFolder(from, name)
  const place = { root, name, envDir, mode, published }
  return openProject({ ...place, options, processEnv: process.env, warn })
}

async function start(session: Session, surroundings: Surroundings): Promise<Served> {
  const project = await session.project()
  const lock = await startProject(project, surroundings)
  const snapshot = planSnapshot(lock, surroundings)
  warnOfCollisions(snapshot.plan, surroundings.notify)
  return { snapshot, stamp: await project.lock.stamp(), isDeclared: true }
}
