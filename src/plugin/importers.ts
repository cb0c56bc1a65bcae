import { existsSync } from 'node:fs'
import { type ParseModule, parseModule } from '../codegen/assert-only-data.ts'
import type { ModuleRequest } from './by-use/module-requests.ts'
import { anyUse, findUsedNames, type UseAnalysis } from './by-use/used-names.ts'
import { debug } from '../debug/debug.ts'
import { type ImportedModule, relativeId, type WorkspaceIds } from './ids.ts'

/**
 * Reads a module that imports prompts, as it is after all other plugins. `undefined` if that is not
 * possible: the importer then gets all prompts.
 *
 * @param context - `this` of the load hook
 */
export type ReadImporter = (
  importer: string,
  context: object,
) => Promise<ImporterCode | undefined> | ImporterCode | undefined

/** The code of an importer and how to analyse it. */
export interface ImporterCode {
  readonly code: string
  /** Tried in order. Default: a JavaScript parser. */
  readonly parsers?: readonly ParseModule[]
  /**
   * Resolves another request of the importer. Absent in bundlers where a second specifier never
   * leads to the module generated for this importer.
   */
  readonly resolve?: (request: StaticRequest) => Promise<string | undefined>
}

/** A request with a constant specifier. */
export interface StaticRequest extends ModuleRequest {
  readonly specifier: string
}

/** Finds which prompts an importer uses of a module. */
export async function analyseImporter(
  importer: ImporterCode | undefined,
  ids: Pick<WorkspaceIds, 'module' | 'parse'>,
  { kind, staging }: ImportedModule,
  replacements: readonly string[] = [],
): Promise<UseAnalysis> {
  if (importer === undefined) return anyUse({ reason: 'code not available' })
  const { code, parsers = [parseModule], resolve } = importer
  const id = ids.module({ kind, staging })
  const analysis = findUsedNames(code, { id, kind, parsers, replacements })
  if (analysis.use === 'all' || resolve === undefined) return analysis
  const leads = analysis.requests.map(async ({ specifier, ...request }) => {
    if (specifier === undefined) return true
    const other = ids.parse((await resolve({ specifier, ...request })) ?? '')
    return other !== undefined && 'staging' in other && other.staging === staging
  })
  const second = (await Promise.all(leads)).indexOf(true)
  if (second === -1) return analysis
  return anyUse({ reason: 'second specifier', at: analysis.requests[second]?.specifier }, analysis)
}

/** How messages name a module of the app: by its file, if it has one. */
export function messagePath(root: string, id: string): string {
  // A folder may be called `c#`.
  const file = [id, id.replace(/\?.*/s, '')].find((path) => existsSync(path))
  return relativeId(root, file ?? id.replace(/[?#].*/s, ''))
}

/** Logs why a module gets all prompts. */
export function debugUse(module: string, { unclear }: UseAnalysis): void {
  if (unclear === undefined) return
  const { reason, at } = unclear
  const place = at === undefined ? '' : ` (${at})`
  debug('analysis', () => `${module} gets all prompts: ${reason}${place}`)
}
