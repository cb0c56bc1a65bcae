import type { UnpluginOptions } from 'unplugin'
import type { UseAnalysis } from '../analysis/by-use/used-names.ts'
import { defaultMode } from '../config/options.ts'
import { suggestModule } from '../errors/did-you-mean.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { createNotify } from '../features/start/notify.ts'
import type { PluginInstance } from './instance.ts'
import { createClientGuard } from './client-guard.ts'
import { buildPaths } from './build-watch.ts'
import type { Importer } from './use-check.ts'
import { idOfPath, type ModuleName, relativeId, type WorkspaceIds } from './ids.ts'
import type { Snapshot } from './snapshot.ts'
import type { BuildContext, Session } from './session.ts'

/** What the hooks of one plugin in one bundler share. */
export interface Host {
  readonly ids: WorkspaceIds
  /** The session of the build as the bundler has reported it so far. Use it once that is complete. */
  session(): Session
  /** Checks the names that an importer uses; see the function of this name. */
  readonly checkUse: (importer: Importer, analysis: UseAnalysis) => Promise<void>
  /** Sets what the bundler reports about the build, before the session starts. */
  setContext(context: Partial<BuildContext>): void
  /**
   * Resolves an import of a module of this workspace to its id. In client code this warns once, or fails, by the
   * option `client`.
   *
   * @param importer - `undefined` for an entry of the app
   * @param context - `this` of the hook
   * @throws PromptsError MODULE_UNKNOWN, PROMPTS_IN_CLIENT; what opening the project throws
   */
  resolve(id: string, importer: string | undefined, context: object): Promise<string>
  /**
   * The code of a module.
   *
   * @param context - `this` of the hook
   * @throws PromptsError what loading the snapshot throws; MODULE_REFUSED, MODULE_UNKNOWN
   */
  load(id: string, context: WatchContext): Promise<string>
  /**
   * Starts a build: reads the lock again and updates the declarations.
   *
   * @param context - `this` of the hook, if it can add watched files: a watch then rebuilds
   *   when a broken lock or configuration is fixed
   * @returns the snapshot that the build uses
   * @throws PromptsError what loading the snapshot throws
   */
  start(context?: WatchContext): Promise<Snapshot>
}

/** The part of a hook's `this` that adds watched files. */
export interface WatchContext {
  addWatchFile(path: string): void
}

/** Creates the host of one plugin. Nothing is read before a hook runs. */
export function createHost(instance: Pick<PluginInstance, 'ids' | 'session'>): Host {
  const { ids } = instance
  let buildContext = defaultContext(ids)
  const session = (): Session => instance.session(buildContext)
  /** By the key in the id of its modules. */
  const importers = new Map<string, AnalysedImporter>()
  const warned = new Set<string>()
  const guardClient = createClientGuard(session, () => buildContext)
  const checkUse: Host['checkUse'] = async (...use) => {
    const check = await import('./build.ts')
    await check.checkUse({ session: session(), context: buildContext, warned }, ...use)
  }
  let paths: Promise<readonly string[]> | undefined
  const watchFiles = async (context?: WatchContext): Promise<void> => {
    if (!buildContext.watched || context === undefined) return
    paths ??= buildPaths(session())
    for (const path of await paths) context.addWatchFile(path)
  }
  let starting: Promise<void> = Promise.resolve()
  return {
    ids,
    session,
    checkUse,
    setContext(context) {
      buildContext = { ...buildContext, ...context }
    },
    async resolve(id, importer, context) {
      const name = parse(ids, id)
      if (importer === undefined || ids.resolvedPattern.test(importer)) return ids.resolved(name)
      if (buildContext.isClient(context)) await guardClient(importer)
      const { byUse, graphOf, readImporter } = buildContext
      if (!('staging' in name) || !byUse || readImporter === undefined) return ids.resolved(name)
      const request = { path: importer, module: name, graph: graphOf(context) }
      const key = await registerImporter(request, buildContext, importers)
      return ids.resolved({ ...name, importer: key })
    },
    async load(id, context) {
      await watchFiles(context)
      // webpack and Rspack build modules while the start hook still runs, and it reads the lock last.
      await starting.catch(() => undefined)
      const name = parse(ids, id)
      const { code } = await session().snapshot()
      // After a restore from a cache, an importer is unknown.
      const importer = importers.get(('importer' in name && name.importer) || '')
      const analysis = await importer?.analyse(context)
      if (importer && analysis) await checkUse(importer, analysis)
      const use = analysis?.use ?? 'all'
      return code(name, { use, parse: buildContext.parserOf?.(context) })
    },
    async start(context) {
      paths = undefined
      starting = watchFiles(context)
      await starting
      // Changed options may name another lock, which the modules then watch.
      return session()
        .refresh()
        .finally(() => (paths = undefined))
    },
  }
}

/**
 * The hooks that serve `virtual:prompts` in the bundlers with hooks of Rollup or unplugin. A bundler's
 * folder adds what only that one needs: its configuration, when a build starts, what its watcher
 * misses, and its output.
 */
export function createHooks({ ids, resolve, load }: Host): PromptsHooks {
  // A plugin that resolves to the specifier itself omits the prefix of a resolved id.
  const filter = { id: ids.importPattern }
  return {
    name: ids.plugin,
    enforce: 'pre',
    resolveId: {
      filter: { id: VIRTUAL },
      async handler(id, importer) {
        if (ids.importPattern.test(id)) return resolve(id, importer, this)
        if (suggestModule(id, ids.entry) === '') return undefined
        const rollup = this as unknown as RollupResolver
        const other = await rollup.resolve(id, importer, { skipSelf: true })
        if (other === null) throw new PromptsError('MODULE_UNKNOWN', { id, module: ids.entry })
        return undefined
      },
    },
    load: {
      filter,
      async handler(path) {
        // In a folder with `#` in its name, Rspack passes its own form of the path.
        const id = idOfPath(path)
        // Rollup before 4.38 and Vite before 6.3 have no filters.
        return ids.importPattern.test(id) ? load(id, this) : undefined
      },
    },
  }
}

/** Also matches specifiers that may be meant for this workspace: `virtual:prompt`. */
const VIRTUAL = /^\0?virtual:/

interface RollupResolver {
  resolve(id: string, importer: string | undefined, options: object): Promise<object | null>
}

type PromptsHooks = Required<Pick<UnpluginOptions, 'name' | 'enforce' | 'resolveId' | 'load'>>

function parse({ entry, parse: parseId }: WorkspaceIds, id: string): ModuleName {
  const name = parseId(id)
  if (name === undefined) throw new PromptsError('MODULE_UNKNOWN', { id, module: entry })
  return name
}

/**
 * Registers the modules for one importer. It is analysed when the first of them is loaded, and again once a
 * bundler has resolved its import again, as it does if the importer has changed.
 *
 * @returns the key of the importer in their ids
 */
async function registerImporter(
  { graph, ...importer }: Importer & { readonly graph: string },
  { root, ids, replacements, readImporter }: BuildContext,
  importers: Map<string, AnalysedImporter>,
): Promise<string> {
  const { analyseImporter, debugUse, importerKey } = await import('./build.ts')
  const { path, module } = importer
  const seed = relativeId(root, path)
  const key = importerKey(`${graph} ${ids.module(module)} ${seed}`)
  const analyse: AnalysedImporter['analyse'] = async (context) => {
    const code = await readImporter?.(path, context)
    const analysis = await analyseImporter(code, ids, module, replacements)
    debugUse(seed, analysis)
    return analysis
  }
  let analysis: Promise<UseAnalysis> | undefined
  importers.set(key, { ...importer, analyse: (context) => (analysis ??= analyse(context)) })
  return key
}

/** An importer with modules of its own. */
interface AnalysedImporter extends Importer {
  /** Its argument is `this` of the load hook. */
  readonly analyse: (context: object) => Promise<UseAnalysis>
}

/** The context until the bundler reports its own. */
function defaultContext(ids: WorkspaceIds): BuildContext {
  const mode = defaultMode(process.env)
  return {
    ids,
    root: process.cwd(),
    mode,
    production: mode === 'production',
    byUse: true,
    groups: Infinity,
    shape: 'namespace',
    watched: true,
    replacements: [],
    graphOf: () => '',
    isClient: () => false,
    notify: createNotify(ids.plugin, (level, text) => console[level](text)),
  }
}
