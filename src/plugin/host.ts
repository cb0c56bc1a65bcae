import { isAbsolute, relative } from 'node:path'
import { PromptsError } from '../errors/prompts-error.ts'
import { createNotify } from '../features/start/start.ts'
import type { PluginInstance } from './instance.ts'
import { type ClientGuard, createClientGuard } from './client-guard.ts'
import { lockPaths } from './watch-sources.ts'
import type { ModuleName, WorkspaceIds } from './ids.ts'
import {
  analyseImporter,
  createImporters,
  debugUse,
  type Importers,
  parserOf,
  readFromGraph,
} from './importers.ts'
import type { BuildContext } from './build-context.ts'
import type { Session } from './session.ts'

/** One use of the plugin in a bundler: what its hooks share. */
export interface Host {
  readonly ids: WorkspaceIds
  readonly session: Session
  readonly importers: Importers
  readonly guard: ClientGuard
  /** Learns of the build context, as the bundler reports it, before the session starts. */
  setContext(known: Partial<BuildContext>): void
  /**
   * The id of the module that an import means.
   *
   * @param importer - none for an entry of the app
   * @param context - `this` of the hook
   * @returns `undefined` for what is not of this package
   * @throws PromptsError MODULE_UNKNOWN, PROMPTS_IN_CLIENT
   */
  resolve(id: string, importer: string | undefined, context: object): Promise<string | undefined>
  /**
   * The code of a module.
   *
   * @param context - `this` of the hook
   * @throws PromptsError what loading the snapshot throws, MODULE_REFUSED, MODULE_UNKNOWN
   */
  load(id: string, context: WatchContext): Promise<string>
  /**
   * Begins a build: takes up the lock and the declarations as they are.
   *
   * @param context - `this` of the hook, where it may say which files to watch: a watch then builds
   *   again when a broken lock is previousLockError
   * @throws PromptsError what loading the snapshot throws
   */
  start(context?: WatchContext): Promise<void>
}

/** The part of a hook's `this` by which a build is made again when a file changes. */
interface WatchContext {
  addWatchFile(path: string): void
}

/** Makes what the hooks of one plugin share; does nothing yet. */
export function createHost({ ids, openSession: open }: PluginInstance, bundler: string): Host {
  let buildContext = defaultContext(ids, bundler)
  const session = open(() => buildContext)
  const importers = createImporters()
  const guard = createClientGuard(session, () => buildContext)
  const watchLock = async (context?: WatchContext): Promise<void> => {
    if (!buildContext.watched || context === undefined) return
    for (const path of await lockPaths(session)) context.addWatchFile(path)
  }
  return {
    ids,
    session,
    importers,
    guard,
    setContext(known) {
      buildContext = { ...buildContext, ...known }
    },
    async resolve(id, importer, context) {
      if (!ids.importPattern.test(id)) return undefined
      const name = parse(ids, id)
      if (importer === undefined || ids.resolvedPattern.test(importer)) return ids.resolved(name)
      const chain = await buildContext.clientChain(importer, context)
      if (chain !== undefined) await guard.check(chain)
      const isForAll = name.kind !== 'entry' || name.importer !== undefined
      if (isForAll || !buildContext.byUse) return ids.resolved(name)
      const key = registerImporter(importer, buildContext, importers)
      return ids.resolved({ kind: 'entry', importer: key })
    },
    async load(id, context) {
      await watchLock(context)
      const name = parse(ids, id)
      const { code } = await session.snapshot()
      const key = 'importer' in name ? name.importer : undefined
      const use = key === undefined ? 'all' : await importers.use(key, context)
      return code(name, { use, parse: parserOf(context) })
    },
    async start(context) {
      await watchLock(context)
      await session.refresh()
    },
  }
}

function parse({ entry, parse: parseId }: WorkspaceIds, id: string): ModuleName {
  const name = parseId(id)
  if (name === undefined) throw new PromptsError('MODULE_UNKNOWN', { id, module: entry })
  return name
}

/** Gives an importer a module of its own; it is read when that is loaded. */
function registerImporter(
  importer: string,
  { root, ids, readImporter, replacements }: BuildContext,
  importers: Importers,
): string {
  // Relative, so that the same app gives the same ids on every machine.
  const seed = isAbsolute(importer) ? relative(root, importer) : importer
  return importers.register(seed, async (context) => {
    const analysis = await analyseImporter(await readImporter(importer, context), ids, replacements)
    debugUse(seed, analysis)
    return analysis.use
  })
}

/** What holds where a bundler tells nothing. */
function defaultContext(ids: WorkspaceIds, bundler: string): BuildContext {
  const mode = process.env['NODE_ENV'] ?? 'production'
  return {
    ids,
    bundler,
    root: process.cwd(),
    mode,
    production: mode === 'production',
    byUse: true,
    watched: true,
    replacements: [],
    readImporter: readFromGraph,
    clientChain: () => undefined,
    notify: createNotify(ids.plugin, (level, text) => console[level](text)),
  }
}
