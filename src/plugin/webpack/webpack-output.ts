import type { Chunk, Compilation, Compiler, Module } from 'webpack'
import { PACKAGE_NAME } from '../../core/workspace-name.ts'
import type { Host } from '../host.ts'
import { inspectOutput } from '../output.ts'

/** webpack's PROCESS_ASSETS_STAGE_REPORT, after everything that changes assets. */
const STAGE_REPORT = 5000

/** Inspects the output of webpack and Rspack. */
export function webpackOutput(host: Pick<Host, 'ids' | 'session'>, compiler: Compiler): void {
  const { RawSource } = compiler.webpack.sources
  compiler.hooks.thisCompilation.tap(PACKAGE_NAME, (compilation) => {
    const tap = { name: PACKAGE_NAME, stage: STAGE_REPORT }
    compilation.hooks.processAssets.tapPromise(tap, async () => {
      // In a watch, a start without a project has failed the build. Another error would end the watch.
      if (
        (await host
          .session()
          .project()
          .catch(() => undefined)) === undefined
      )
        return
      let graph: ReadonlyMap<string, string[]> | undefined
      const files = compilation.getAssets().map(({ name, source }) => ({
        file: name,
        modules: () => (graph ??= modulesByFile(compilation)).get(name) ?? [],
        read: () => source.source(),
      }))
      const manifest = await inspectOutput(host, { files, folder: compiler.outputPath })
      if (manifest !== undefined) compilation.emitAsset(manifest.file, new RawSource(manifest.text))
    })
  })
}

function modulesByFile(graphs: Compilation): ReadonlyMap<string, string[]> {
  const byFile = new Map<string, string[]>()
  for (const chunk of graphs.chunks) {
    const used = usedModules(chunk, graphs)
    for (const file of chunk.files) byFile.set(file, [...(byFile.get(file) ?? []), ...used])
  }
  return byFile
}

function usedModules(chunk: Chunk, { chunkGraph, moduleGraph }: Compilation): string[] {
  const { runtime } = chunk
  // Rspack takes no set.
  const runtimes = typeof runtime === 'object' ? [...runtime] : runtime
  return [...chunkGraph.getChunkModulesIterable(chunk)]
    .flatMap((module) => [...((module as ConcatenatedModule).modules ?? [module])])
    .filter((module) => isUsed(moduleGraph.getUsedExports(module, runtimes as typeof runtime)))
    .map((module) => module.identifier())
}

interface ConcatenatedModule extends Module {
  readonly modules?: Iterable<Module>
}

/** `null` if that is unknown, as in development. */
function isUsed(exports: Iterable<string> | boolean | null): boolean {
  return exports === null || typeof exports === 'boolean'
    ? exports !== false
    : [...exports].length > 0
}
