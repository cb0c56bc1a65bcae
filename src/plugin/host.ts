import { isAbsolute, relative } from 'node:path'
import { PromptsError } from '../errors.ts'
import type { Options } from '../options.ts'
import { type ClientGuard, createClientGuard } from './client-guard.ts'
import {
  IMPORT_PATTERN,
  type ModuleName,
  NAME,
  parseModuleId,
  RESOLVED_PATTERN,
  resolvedId,
} from './ids.ts'
import { createImporters, type Importers, readFromGraph, useOf } from './importers.ts'
import { createSession, type Session, type Surroundings } from './session.ts'

/** One use of the plugin in a bundler: what its hooks share. */
export interface Host {
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
  load(id: string, context: object): Promise<string>
}

/** Makes what the hooks of one plugin share; does nothing yet. */
export function createHost(options: Options | undefined, bundler: string): Host {
  let surroundings = defaultSurroundings(bundler)
  const session = createSession(options ?? {}, () => surroundings)
  const importers = createImporters()
  const guard = createClientGuard(session, () => surroundings)
  return {
    session,
    importers,
    guard,
    surround(known) {
      surroundings = { ...surroundings, ...known }
    },
    async resolve(id, importer, context) {
      if (!IMPORT_PATTERN.test(id)) return undefined
      const name = parse(id)
      if (importer === undefined || RESOLVED_PATTERN.test(importer)) return resolvedId(name)
      const chain = surroundings.clientChain(importer, context)
      if (chain !== undefined) await guard.check(chain)
      const isForAll = name.kind !== 'entry' || name.importer !== undefined
      if (isForAll || !surroundings.byUse) return resolvedId(name)
      const key = registerImporter(importer, surroundings, importers)
      return resolvedId({ kind: 'entry', importer: key })
    },
    async load(id, context) {
      const name = parse(id)
      const { code } = await session.snapshot()
      const key = 'importer' in name ? name.importer : undefined
      return code(name, key === undefined ? 'all' : await importers.use(key, context))
    },
  }
}

function parse(id: string): ModuleName {
  const name = parseModuleId(id)
  if (name === undefined) throw new PromptsError('MODULE_UNKNOWN', { id })
  return name
}

/** Gives an importer a module of its own; it is read when that is loaded. */
function registerImporter(
  importer: string,
  { root, readImporter }: Surroundings,
  importers: Importers,
): string {
  // Relative, so that the same app gives the same ids on every machine.
  const seed = isAbsolute(importer) ? relative(root, importer) : importer
  return importers.register(seed, async (context) => {
    const read = await readImporter(importer, context)
    return read === undefined ? 'all' : useOf(read)
  })
}

/** What holds where a bundler tells nothing. */
function defaultSurroundings(bundler: string): Surroundings {
  const mode = process.env['NODE_ENV'] ?? 'production'
  return {
    bundler,
    root: process.cwd(),
    mode,
    production: mode === 'production',
    byUse: true,
    readImporter: readFromGraph,
    clientChain: () => undefined,
    notify: (level, message) => console[level](`[${NAME}] ${message}`),
  }
}
