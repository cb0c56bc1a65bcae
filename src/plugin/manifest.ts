import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { BuildResult, PluginBuild } from 'esbuild'
import type { EmittedChunk } from '../emit/print-manifest.ts'
import { sha256 } from '../io/digest.ts'
import { forwardSlashes } from '../io/forward-slashes.ts'
import type { Host } from './host.ts'
import { PACKAGE } from '../core/workspace-name.ts'

interface ManifestFile {
  /** Its name in the output folder. */
  readonly file: string
  readonly text: string
}

/**
 * The manifest of a build, where the options want one: only then what finds prompts is loaded. A
 * build for each environment has its own, in its own output folder.
 */
async function manifestOf(
  { ids, session }: Pick<Host, 'ids' | 'session'>,
  chunks: () => readonly EmittedChunk[] | Promise<readonly EmittedChunk[]>,
): Promise<ManifestFile | undefined> {
  const { options } = await session.project()
  if (!options.manifest) return undefined
  const { manifestFile, printManifest } = await import('../emit/print-manifest.ts')
  const { lock } = await session.snapshot()
  return {
    file: manifestFile(ids.workspace),
    text: printManifest(await chunks(), lock, sha256),
  }
}

/** What a bundle of Rollup, Rolldown or Vite is made of, as far as it is looked at. */
type Bundle = Readonly<
  Record<string, { readonly type: string; readonly fileName: string; readonly code?: string }>
>

/** A hook as Rollup, Rolldown and Vite all take it. */
interface RollupHooks {
  readonly generateBundle: {
    readonly order: 'post'
    handler(this: Emitter, options: unknown, bundle: Bundle): Promise<void>
  }
}

interface Emitter {
  emitFile(file: { type: 'asset'; fileName: string; source: string }): unknown
}

/** Emits the manifest with Rollup, Rolldown and Vite: behind all that may still change code. */
export function rollupManifest(host: Pick<Host, 'ids' | 'session'>): RollupHooks {
  return {
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const manifest = await manifestOf(host, () => chunksOf(bundle))
        if (manifest === undefined) return
        this.emitFile({ type: 'asset', fileName: manifest.file, source: manifest.text })
      },
    },
  }
}

function chunksOf(bundle: Bundle): EmittedChunk[] {
  return Object.values(bundle).flatMap(({ fileName, code }) =>
    code === undefined ? [] : [{ file: fileName, code }],
  )
}

/** What webpack and Rspack have in common here. */
interface CompilerLike<Source> {
  readonly hooks: {
    readonly thisCompilation: {
      tap(name: string, tapped: (compilation: CompilationLike<Source>) => void): void
    }
  }
}

interface CompilationLike<Source> {
  readonly hooks: {
    readonly processAssets: {
      tapPromise(options: { name: string; stage: number }, tapped: () => Promise<void>): void
    }
  }
  getAssets(): readonly { readonly name: string; readonly source: SourceLike }[]
  emitAsset(name: string, source: Source): void
}

interface SourceLike {
  source(): string | Buffer
}

/** webpack's PROCESS_ASSETS_STAGE_REPORT: behind all that may still change code. */
const STAGE_REPORT = 5000

/** Emits the manifest with webpack and Rspack. */
export function webpackManifest<Source>(
  host: Pick<Host, 'ids' | 'session'>,
  compiler: CompilerLike<Source>,
  toSource: (text: string) => Source,
): void {
  compiler.hooks.thisCompilation.tap(PACKAGE, (compilation) => {
    const tap = { name: PACKAGE, stage: STAGE_REPORT }
    compilation.hooks.processAssets.tapPromise(tap, async () => {
      const manifest = await manifestOf(host, () =>
        compilation
          .getAssets()
          .filter(({ name }) => isScript(name))
          .map(({ name, source }) => ({ file: name, code: source.source().toString() })),
      )
      if (manifest !== undefined) compilation.emitAsset(manifest.file, toSource(manifest.text))
    })
  })
}

function isScript(name: string): boolean {
  return /\.[cm]?js$/.test(name)
}

/** Writes the manifest beside what esbuild has written, or adds it to what is kept in memory. */
export function esbuildManifest(host: Pick<Host, 'ids' | 'session'>, build: PluginBuild): void {
  const { initialOptions } = build
  const { absWorkingDir = process.cwd(), outdir, outfile = 'out.js' } = initialOptions
  const folder = resolve(absWorkingDir, outdir ?? dirname(outfile))
  // The one place that says which files were written.
  initialOptions.metafile = true
  build.onEnd(async (result) => {
    if (result.errors.length > 0) return
    const manifest = await manifestOf(host, () => emittedBy(result, { absWorkingDir, folder }))
    if (manifest === undefined) return
    const { file, text } = manifest
    const path = join(folder, file)
    if (result.outputFiles === undefined) await writeFile(path, text)
    else result.outputFiles.push(inMemory(path, text))
  })
}

function inMemory(path: string, text: string): Exclude<BuildResult['outputFiles'], undefined>[0] {
  return { path, text, contents: new TextEncoder().encode(text), hash: sha256(text) }
}

async function emittedBy(
  { outputFiles, metafile }: BuildResult,
  { absWorkingDir, folder }: { readonly absWorkingDir: string; readonly folder: string },
): Promise<EmittedChunk[]> {
  const written = Object.keys(metafile?.outputs ?? {}).map((path) => resolve(absWorkingDir, path))
  const texts = outputFiles?.map(({ path, text }) => ({ path, text }))
  const files =
    texts ??
    (await Promise.all(
      written.filter(isScript).map(async (path) => ({ path, text: await readFile(path, 'utf8') })),
    ))
  return files
    .filter(({ path }) => isScript(path))
    .map(({ path, text }) => ({ file: forwardSlashes(relative(folder, path)), code: text }))
}
