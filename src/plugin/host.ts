import { hash } from 'node:crypto'
import type { UseAnalysis } from './by-use/used-names.ts'
import type { Notify } from '../features/start/notify.ts'
import { buildPaths } from './build-watch.ts'
import { reportClientImport } from './client-guard.ts'
import type { BuildContext, SessionContext } from './context.ts'
import { followDeclarations } from './declarations.ts'
import { moduleOf, relativeId } from './ids.ts'
import { analyseImporter, debugUse, messagePath } from './importers.ts'
import { type Loaded, type OpenProject, Session, type SharedSettings } from './session.ts'
import { checkUse, type Importer } from './use-check.ts'

export { openFrom } from './session.ts'

/** The part of a hook's `this` that adds watched files. */
export interface WatchContext {
  addWatchFile(path: string): void
}

/** The sessions of an instance, by what their contexts agree in. */
export interface Sessions {
  readonly shared: SharedSettings
  readonly byContext: Map<string, Session>
}

/** The host of a build. Builds that differ in nothing that their code depends on share a session. */
export function openHost(context: BuildContext, { shared, byContext }: Sessions): Host {
  const { shape, root, envDir, mode, published, production, groups, isServer } = context
  // JSON has no Infinity.
  const agreed = [shape, root, envDir, mode, published, production, `${groups}`, isServer]
  const key = JSON.stringify(agreed)
  const session = byContext.get(key) ?? createSession(shared, context)
  byContext.set(key, session)
  return new Host(context, session)
}

/** A session with declarations that follow it. A production build has those of the pull that wrote its lock. */
export function createSession(
  shared: SharedSettings,
  context: SessionContext,
  open?: OpenProject,
): Session {
  const session = new Session(shared, context, open)
  if (!context.production) followDeclarations(session, context)
  return session
}

/** One build or dev server: what its hooks share, and nothing of another build. */
export class Host {
  readonly context: BuildContext
  readonly session: Session
  readonly #closing = new AbortController()
  /** By the key in the id of its modules. */
  readonly #importers = new Map<string, AnalysedImporter>()
  readonly #warned = new Set<string>()
  #start: Promise<Loaded> | undefined
  #paths: Promise<readonly string[]> | undefined

  constructor(context: BuildContext, session: Session) {
    this.context = context
    this.session = session
  }

  /** Aborted when the bundler closes. */
  get closed(): AbortSignal {
    return this.#closing.signal
  }

  close(): void {
    this.#closing.abort()
  }

  /**
   * Starts a build: reads what has changed and updates the declarations. Its modules are those of this lock.
   *
   * @param hook - `this` of the hook, if it can add watched files: a watch then rebuilds when a broken lock or
   *   configuration is fixed
   * @throws PromptsError what loading the snapshot throws
   */
  async start(hook?: WatchContext): Promise<Loaded> {
    if (this.context.isPart) return this.loaded()
    this.#paths = undefined
    this.#start = this.session.reload(this.context.notify)
    try {
      return await this.#start
    } finally {
      await this.#watch(hook)
    }
  }

  /** What the modules are of. */
  async loaded(): Promise<Loaded> {
    const { isServer, notify } = this.context
    // In a watch, the last good one serves after a start that has failed.
    const started = isServer ? undefined : await this.#start?.catch(() => undefined)
    return started ?? this.session.loaded(notify)
  }

  /**
   * Resolves an import of a module of this workspace to its id. In client code this warns once, or fails, by the
   * option `client`.
   *
   * @param importer - `undefined` for an entry of the app
   * @param hook - `this` of the hook
   * @throws PromptsError MODULE_UNKNOWN, PROMPTS_IN_CLIENT; what opening the project throws
   */
  async resolve(id: string, importer: string | undefined, hook: object): Promise<string> {
    const { ids, isServer, readImporter, isClient, graphOf } = this.context
    const name = moduleOf(ids, id)
    if (importer === undefined || ids.resolvedPattern.test(importer)) return ids.resolved(name)
    if (isClient(hook)) await this.#guardClient(importer)
    if (!('staging' in name) || isServer || readImporter === undefined) return ids.resolved(name)
    const key = this.#register({ path: importer, module: name }, graphOf(hook))
    return ids.resolved({ ...name, importer: key })
  }

  /**
   * The code of a module.
   *
   * @param hook - `this` of the hook
   * @throws PromptsError what loading the snapshot throws; MODULE_REFUSED, MODULE_UNKNOWN
   */
  async load(id: string, hook: WatchContext): Promise<string> {
    const { ids, parserOf } = this.context
    await this.#watch(hook)
    const name = moduleOf(ids, id)
    const { snapshot } = await this.loaded()
    // After a restore from a cache, an importer is unknown.
    const importer = this.#importers.get(('importer' in name && name.importer) || '')
    const analysis = await importer?.analyse(hook)
    if (importer && analysis) await this.#checkUse(importer, analysis)
    return snapshot.code(name, { use: analysis?.use ?? 'all', parse: parserOf?.(hook) })
  }

  /** Checks the names that the code of an importer uses, for bundlers that give all importers the same. */
  async checkCode(code: string, importer: Importer): Promise<void> {
    await this.#checkUse(
      importer,
      await analyseImporter({ code }, this.context.ids, importer.module),
    )
  }

  async #checkUse(importer: Importer, analysis: UseAnalysis): Promise<void> {
    const warn = (message: string): void => this.#warnOnce(message, message)
    await checkUse({ ...(await this.loaded()), context: this.context, warn }, importer, analysis)
  }

  async #guardClient(importer: string): Promise<void> {
    const { notify, root } = this.context
    const warn: Notify = (_level, message) => this.#warnOnce('client', message)
    const project = await this.session.project(notify)
    reportClientImport(project, warn, messagePath(root, importer))
  }

  #warnOnce(subject: string, message: string): void {
    if (!this.#warned.has(subject)) this.context.notify('warn', message)
    this.#warned.add(subject)
  }

  /**
   * Registers the modules for one importer. It is analysed when the first of them is loaded, and again once a
   * bundler has resolved its import again, as it does if the importer has changed.
   *
   * @returns the key of the importer in their ids
   */
  #register(importer: Importer, graph: string): string {
    const { root, ids, replacements, readImporter } = this.context
    const { path, module } = importer
    const seed = relativeId(root, path)
    // The same on every machine.
    const key = hash('sha256', `${graph} ${ids.module(module)} ${seed}`).slice(0, 16)
    const analyse: AnalysedImporter['analyse'] = async (hook) => {
      const code = await readImporter?.(path, hook)
      const analysis = await analyseImporter(code, ids, module, replacements)
      debugUse(seed, analysis)
      return analysis
    }
    let analysis: Promise<UseAnalysis> | undefined
    this.#importers.set(key, { ...importer, analyse: (hook) => (analysis ??= analyse(hook)) })
    return key
  }

  async #watch(hook: WatchContext | undefined): Promise<void> {
    if (!this.context.watched || hook === undefined) return
    // After the start, whose options may name another lock.
    await this.#start?.catch(() => undefined)
    this.#paths ??= buildPaths(this.session)
    for (const path of await this.#paths) hook.addWatchFile(path)
  }
}

/** An importer with modules of its own. */
interface AnalysedImporter extends Importer {
  /** Its argument is `this` of the load hook. */
  readonly analyse: (hook: object) => Promise<UseAnalysis>
}
