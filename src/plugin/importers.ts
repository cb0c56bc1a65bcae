import { createHash } from 'node:crypto'
import { extname, isAbsolute } from 'node:path'
import { type ParseModule, parseModule } from '../codegen/parse-module.ts'
import type { ModuleRequest } from '../analysis/by-use/module-requests.ts'
import { type UsedNames, findUsedNames, type UseAnalysis } from '../analysis/by-use/used-names.ts'
import { debug } from '../debug/debug.ts'
import type { WorkspaceIds } from './ids.ts'

/**
 * The code of a module that imports prompts, as it is after all other plugins, or `undefined`
 * where that can't be known: its importer then gets the whole namespace.
 *
 * @param context - `this` of the hook that loads
 */
export type ReadImporter = (
  importer: string,
  context: object,
) => Promise<ImporterCode | undefined> | ImporterCode | undefined

/** What is known about an importer. */
export interface ImporterCode {
  readonly code: string
  /** Tried in order: by default the parser of JavaScript. */
  readonly parsers?: readonly ParseModule[]
  /**
   * The id of the module that a request of the importer leads to. Absent in bundlers where a second
   * specifier never leads to the module that is made for this importer.
   */
  readonly resolve?: (request: StaticRequest) => Promise<string | undefined>
}

/** A request whose specifier is known. */
export interface StaticRequest extends ModuleRequest {
  readonly specifier: string
}

/** The importers of one plugin: each has a module of its own, which is known by a key. */
export interface Importers {
  /**
   * @param seed - tells an importer from all others, on every machine alike
   * @param use - finds out what it uses, when its module is loaded
   * @returns the key
   */
  register(seed: string, use: FindUse): string
  /** What an importer uses: `all` for one that was never registered, such as one from a cache. */
  use(key: string, context: object): Promise<UsedNames>
}

/** Finds out what an importer uses; `this` of the hook that loads is given to it. */
export type FindUse = (context: object) => Promise<UsedNames> | UsedNames

/** Makes the list of a plugin's importers; empty at first. */
export function createImporters(): Importers {
  const known = new Map<string, FindUse>()
  return {
    register(seed, use) {
      const key = createHash('sha256').update(seed).digest('hex').slice(0, 16)
      known.set(key, use)
      return key
    },
    async use(key, context) {
      return (await known.get(key)?.(context)) ?? 'all'
    },
  }
}

/** What an importer uses of the prompts of a workspace. */
export async function analyseImporter(
  importer: ImporterCode | undefined,
  { entry, importPattern }: Pick<WorkspaceIds, 'entry' | 'importPattern'>,
  replacements: readonly string[] = [],
): Promise<UseAnalysis> {
  if (importer === undefined) return { use: 'all', reason: 'code not available' }
  const { code, parsers = [parseModule], resolve } = importer
  const analysis = findUsedNames(code, { id: entry, parsers, replacements })
  if (analysis.use === 'all' || resolve === undefined) return analysis
  const leads = analysis.requests.map(async ({ specifier, kind }) => {
    if (specifier === undefined) return true
    return importPattern.test((await resolve({ specifier, kind })) ?? '')
  })
  const second = (await Promise.all(leads)).indexOf(true)
  if (second === -1) return analysis
  return { use: 'all', reason: 'second specifier', at: analysis.requests[second]?.specifier }
}

/** The part of the context of Rollup, Rolldown and Vite that is used here. */
interface RollupContext {
  getModuleInfo(id: string): { readonly code?: string | null } | null
  parse(code: string, options?: { lang: string }): object
  addWatchFile(id: string): void
  resolve(
    specifier: string,
    importer: string,
    options: { kind: ModuleRequest['kind']; skipSelf: false },
  ): Promise<{ readonly id: string } | null>
}

/** Rollup, Rolldown and Vite lend their parser: it is loaded, and native, so it starts sooner. */
export function parserOf(context: object): ParseModule {
  return isRollupContext(context) ? (code) => context.parse(code) : parseModule
}

function isRollupContext(context: object): context is RollupContext {
  return 'getModuleInfo' in context
}

/** Rolldown strips types after all plugins; its parser knows them. */
const LANGUAGES: Readonly<Record<string, string>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.tsx': 'tsx',
  '.jsx': 'jsx',
}

/**
 * Reads an importer in Rollup, Rolldown and Vite. They load what a module imports only when that
 * module has gone through every plugin's transform, so this is its last form (measured).
 */
export const readFromGraph: ReadImporter = (importer, context) => {
  if (!isRollupContext(context)) return undefined
  const code = context.getModuleInfo(importer)?.code
  if (typeof code !== 'string') return undefined
  if (isAbsolute(importer)) context.addWatchFile(importer)
  const lang = LANGUAGES[extname(importer)]
  const typed: ParseModule[] = lang === undefined ? [] : [(text) => context.parse(text, { lang })]
  return {
    code,
    parsers: [parserOf(context), ...typed],
    resolve: async ({ specifier, kind }) =>
      (await context.resolve(specifier, importer, { kind, skipSelf: false }))?.id,
  }
}

/** Logs why a module gets all prompts. */
export function debugUse(module: string, analysis: UseAnalysis): void {
  if (analysis.use !== 'all') return
  const { reason, at } = analysis
  const place = at === undefined ? '' : ` (${at})`
  debug('analysis', () => `${module} gets all prompts: ${reason}${place}`)
}
