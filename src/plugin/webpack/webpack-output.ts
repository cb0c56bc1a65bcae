import { PACKAGE_NAME } from '../../core/workspace-name.ts'
import type { Host } from '../host.ts'
import { inspectOutput, isScriptFile } from '../output.ts'

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

interface CompilationLike<Source> {
  readonly hooks: {
    readonly processAssets: {
      tapPromise(options: { name: string; stage: number }, callback: () => Promise<void>): void
    }
  }
  getAssets(): readonly { readonly name: string; readonly source: SourceLike }[]
  emitAsset(name: string, source: Source): void
}

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
      const files = compilation.getAssets().map(({ name, source }) => ({
        file: name,
        isScript: isScriptFile(name),
        read: () => source.source(),
      }))
      const manifest = await inspectOutput(host, { files, folder: compiler.outputPath })
      if (manifest !== undefined) compilation.emitAsset(manifest.file, toSource(manifest.text))
    })
  })
}
