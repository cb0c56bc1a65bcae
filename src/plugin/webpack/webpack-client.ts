import type { Compiler, Module, ModuleGraph, NormalModule } from 'webpack'
import { importChain } from '../client-guard.ts'
import type { Host } from '../host.ts'
import { idOfPath, type WorkspaceIds } from '../ids.ts'
import { failCompilation } from './webpack-errors.ts'

/** Checks client builds when all modules are known. */
export function guardClient({ ids, guard }: Pick<Host, 'ids' | 'guard'>, compiler: Compiler): void {
  compiler.hooks.compilation.tap(ids.plugin, (compilation) => {
    const checkAll = async (modules: Iterable<Module>): Promise<void> => {
      if (!isForBrowser(compiler) || (await guard.strictness()) === 'allow') return
      for (const chain of chainsIn(modules, compilation.moduleGraph, ids)) {
        // One after the other: the first error is reported.
        await guard.check(chain)
      }
    }
    compilation.hooks.finishModules.tapPromise(ids.plugin, (modules) =>
      checkAll(modules).catch((error: unknown) => failCompilation(error, compiler, compilation)),
    )
  })
}

function isForBrowser({ options }: Compiler): boolean {
  const { web = false, node = false } = options.externalsPresets ?? {}
  return web && !node
}

/** The import chain of each generated module that the app imports. */
function* chainsIn(
  modules: Iterable<Module>,
  graph: ModuleGraph,
  ids: WorkspaceIds,
): Generator<readonly string[]> {
  const issuersOf = (module: Module): Module[] => [graph.getIssuer(module) ?? []].flat()
  for (const module of modules) {
    const [importer] = isOwn(module, ids) ? issuersOf(module) : []
    if (importer === undefined || isOwn(importer, ids)) continue
    const chain = importChain(importer, (next) => ({ importers: issuersOf(next) }))
    yield [...new Set(chain.map(fileOf))]
  }
}

function isOwn(module: Module, { resolvedPattern }: WorkspaceIds): boolean {
  return resolvedPattern.test(idOfPath(fileOf(module)))
}

/** The file of a module; empty if it has none. */
function fileOf(module: Module): string {
  return (module as Partial<NormalModule>).resource ?? ''
}
