import { isAbsolute, relative } from 'node:path'
import { PromptsError } from '../errors/catalogue.ts'
import { createNotify } from '../features/start/start.ts'
import type { Call } from './call.ts'
import { type ClientGuard, createClientGuard } from './client-guard.ts'
import { lockPaths } from './follow-sources.ts'
import type { ModuleName, WorkspaceIds } from './ids.ts'
import { debugUse } from './debug.ts'
import {
  analyseImporter,
  createImporters,
  type Importers,
  parserOf,
  readFromGraph,
} from './importers.ts'
import type { Session, Surroundings } from './session.ts'

/** One use of the plugin in a bundler: what its hooks share. */
export interface Host {
  readonly ids: WorkspaceIds
  readonly session: Session
  readonly importers: Importers
  readonly guard: ClientGuard
  /** Learns of the surroundings, as the bundler tells them, before the session starts. */
  surround(known: Partial<Surroundings>): void
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
  load(id: string, context: Watching): Promise<string>
  /**
   * Begins a build: takes up the lock and the declarations as they are.
   *
   * @param context - `this` of the hook, where it may say which files to watch: a watch then builds
   *   again when a broken lock is mended
   * @throws PromptsError what loading the snapshot throws
   */
  start(context?: Watching): Promise<void>
}

/** The part of a hook's `this` by which a build is made again when a file changes. */
interface Watching {
  addWatchFile(path: string): void
}

/** Makes what the hooks of one plugin share; does nothing yet. */
export function createHost({ ids, session: open }: Call, bundler: string): Host {
  let surroundings = defaultSurroundings(ids, bundler)
  const session = open(() => surroundings)
  const importers = createImporters()
  const guard = createClientGuard(session, () => surroundings)
  const watchLock = async (context?: Watching): Promise<void> => {
    if (!surroundings.watched || context === undefined) return
    for (const path of await lockPaths(session)) context.addWatchFile(path)
  }
  return {
    ids,
    session,
    importers,
    guard,
    surround(known) {
      surroundings = { ...surroundings, ...known }
    },
    async resolve(id, importer, context) {
      if (!ids.importPattern.test(id)) return undefined
      const name = parse(ids, id)
      if (importer === undefined || ids.resolvedPattern.test(importer)) return ids.resolved(name)
      const chain = await surroundings.clientChain(importer, context)
      if (chain !== undefined) await guard.check(chain)
      const isForAll = name.kind !== 'entry' || name.importer !== undefined
      if (isForAll || !surroundings.byUse) return ids.resolved(name)
      const key = registerImporter(importer, surroundings, importers)
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
  { root, ids, readImporter, replacements }: Surroundings,
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
function defaultSurroundings(ids: WorkspaceIds, bundler: string): Surroundings {
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
