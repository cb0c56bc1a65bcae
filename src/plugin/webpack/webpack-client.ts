import { importChain } from '../client-guard.ts'
import type { Host } from '../host.ts'
import { idOfPath, type WorkspaceIds } from '../ids.ts'
import { failCompilation } from './webpack-errors.ts'

/** The part of a webpack or Rspack compiler that shows whether it builds client code. */
interface ClientCompiler {
  readonly watchMode: boolean
  readonly options: {
    readonly externalsPresets?: { readonly web?: boolean; readonly node?: boolean }
  }
  readonly hooks: {
    readonly compilation: {
      tap(name: string, callback: (compilation: ClientCompilation) => void): void
    }
  }
}

/** The part of a compilation with its module graph. */
export interface ClientCompilation {
  readonly errors: unknown[]
  readonly moduleGraph: { getIssuer(module: never): object | null | undefined }
  readonly hooks: {
    readonly finishModules: {
      tapPromise(name: string, callback: (modules: Iterable<object>) => Promise<void>): void
    }
  }
}

/** Checks client builds when all modules are known. */
export function guardClient(
  { ids, guard }: Pick<Host, 'ids' | 'guard'>,
  compiler: ClientCompiler,
): void {
  compiler.hooks.compilation.tap(ids.plugin, (compilation) => {
    const checkAll = async (modules: Iterable<object>): Promise<void> => {
      if (!isForBrowser(compiler) || (await guard.strictness()) === 'allow') return
      for (const chain of chainsIn(modules, compilation.moduleGraph, ids)) {
        // One after the other: the first error is reported.
        // oxlint-disable-next-line no-await-in-loop
        await guard.check(chain)
      }
    }
    compilation.hooks.finishModules.tapPromise(ids.plugin, (modules) =>
      checkAll(modules).catch((error: unknown) => failCompilation(error, compiler, compilation)),
    )
  })
}

function isForBrowser({ options }: ClientCompiler): boolean {
  const { web = false, node = false } = options.externalsPresets ?? {}
  return web && !node
}

/** The import chain of each generated module that the app imports. */
function* chainsIn(
  modules: Iterable<object>,
  graph: ClientCompilation['moduleGraph'],
  ids: WorkspaceIds,
): Generator<readonly string[]> {
  const issuersOf = (module: object): object[] => [graph.getIssuer(module as never) ?? []].flat()
  for (const module of modules) {
    const [importer] = isOwn(module, ids) ? issuersOf(module) : []
    if (importer === undefined || isOwn(importer, ids)) continue
    const chain = importChain(importer, (next) => ({ importers: issuersOf(next) }))
    yield [...new Set(chain.flatMap((each) => fileOf(each) ?? []))]
  }
}

function isOwn(module: object, { resolvedPattern }: WorkspaceIds): boolean {
  return resolvedPattern.test(idOfPath(fileOf(module) ?? ''))
}

function fileOf(module: object): string | undefined {
  const { resource } = module as { readonly resource?: unknown }
  return typeof resource === 'string' ? resource : undefined
}
