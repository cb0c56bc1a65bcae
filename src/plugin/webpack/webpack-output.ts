import { PACKAGE_NAME } from '../../core/workspace-name.ts'
import type { Host } from '../host.ts'
import { inspectOutput } from '../output.ts'

/** The part of the API that webpack and Rspack share. */
interface CompilerLike<Source> {
  /** Absolute. */
  readonly outputPath: string
  readonly hooks: {
    readonly thisCompilation: {
      tap(name: string, callback: (compilation: CompilationLike<Source>) => void): void
    }
  }
}

interface CompilationLike<Source> extends ModuleGraphs {
  readonly hooks: {
    readonly processAssets: {
      tapPromise(options: { name: string; stage: number }, callback: () => Promise<void>): void
    }
  }
  getAssets(): readonly { readonly name: string; readonly source: SourceLike }[]
  emitAsset(name: string, source: Source): void
}

/** Which modules are in which chunk, and what is used of them. */
interface ModuleGraphs {
  readonly chunks: Iterable<ChunkLike>
  readonly chunkGraph: { getChunkModulesIterable(chunk: never): Iterable<ModuleLike> }
  readonly moduleGraph: { getUsedExports(module: never, runtime: never): UsedExports }
}

interface ChunkLike {
  readonly files: Iterable<string>
  /** A set in Rspack. */
  readonly runtime: string | Iterable<string> | undefined
}

interface ModuleLike {
  identifier(): string
  /** The modules of a concatenated module. */
  readonly modules?: Iterable<ModuleLike>
}

/** Names, or whether any are used; `null` if that is unknown, as in development. */
type UsedExports = Iterable<string> | boolean | null

interface SourceLike {
  source(): string | Buffer
}

/** webpack's PROCESS_ASSETS_STAGE_REPORT, after everything that changes assets. */
const STAGE_REPORT = 5000

/** Inspects the output of webpack and Rspack. */
export function webpackOutput<Source>(
  host: Pick<Host, 'ids' | 'session'>,
  compiler: CompilerLike<Source>,
  toSource: (text: string) => Source,
): void {
  compiler.hooks.thisCompilation.tap(PACKAGE_NAME, (compilation) => {
    const tap = { name: PACKAGE_NAME, stage: STAGE_REPORT }
    compilation.hooks.processAssets.tapPromise(tap, async () => {
      let graph: ReadonlyMap<string, string[]> | undefined
      const files = compilation.getAssets().map(({ name, source }) => ({
        file: name,
        modules: () => (graph ??= modulesByFile(compilation)).get(name) ?? [],
        read: () => source.source(),
      }))
      const manifest = await inspectOutput(host, { files, folder: compiler.outputPath })
      if (manifest !== undefined) compilation.emitAsset(manifest.file, toSource(manifest.text))
    })
  })
}

/** The used modules of each emitted file. */
function modulesByFile(graphs: ModuleGraphs): ReadonlyMap<string, string[]> {
  const byFile = new Map<string, string[]>()
  for (const chunk of graphs.chunks) {
    const used = usedModules(chunk, graphs)
    for (const file of chunk.files) byFile.set(file, [...(byFile.get(file) ?? []), ...used])
  }
  return byFile
}

function usedModules(chunk: ChunkLike, { chunkGraph, moduleGraph }: ModuleGraphs): string[] {
  const { runtime } = chunk
  const runtimes = typeof runtime === 'object' ? [...runtime] : runtime
  return [...chunkGraph.getChunkModulesIterable(chunk as never)]
    .flatMap((module) => [...(module.modules ?? [module])])
    .filter((module) => isUsed(moduleGraph.getUsedExports(module as never, runtimes as never)))
    .map((module) => module.identifier())
}

function isUsed(exports: UsedExports): boolean {
  if (exports === null || typeof exports === 'boolean') return exports ?? true
  return [...exports].length > 0
}
