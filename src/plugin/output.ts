import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { BuildResult, PluginBuild } from 'esbuild'
import { PACKAGE } from '../core/workspace-name.ts'
import type { EmittedChunk } from '../emit/print-manifest.ts'
import { PromptsError } from '../errors.ts'
import { sha256 } from '../io/digest.ts'
import { forwardSlashes } from '../io/forward-slashes.ts'
import type { Host } from './host.ts'

/** What a build gives out. */
type Emitted = () => readonly EmittedChunk[] | Promise<readonly EmittedChunk[]>

/**
 * Refuses a build that gives out the key, whoever put it there: `define` of the whole environment,
 * or a file that is imported. Nothing is looked at where there is no key.
 *
 * @throws PromptsError KEY_IN_BUNDLE
 */
async function refuseKey({ session }: Pick<Host, 'session'>, emitted: Emitted): Promise<void> {
  const { apiKey } = (await session.project()).options
  if (apiKey === undefined) return
  const found = (await emitted()).find(({ code }) => code.includes(apiKey.value))
  if (found !== undefined) throw new PromptsError('KEY_IN_BUNDLE', { file: found.file })
}

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
  chunks: Emitted,
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
  Record<
    string,
    {
      readonly fileName: string
      readonly code?: string
      readonly source?: string | Uint8Array
    }
  >
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

/** Looks at what Rollup, Rolldown and Vite give out, behind all that may still change it. */
export function rollupOutput(host: Pick<Host, 'ids' | 'session'>): RollupHooks {
  return {
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        await refuseKey(host, () => textsOf(bundle))
        const manifest = await manifestOf(host, () => chunksOf(bundle))
        if (manifest === undefined) return
        this.emitFile({ type: 'asset', fileName: manifest.file, source: manifest.text })
      },
    },
  }
}

/** Chunks and texts, such as HTML and source maps. */
function textsOf(bundle: Bundle): EmittedChunk[] {
  return Object.values(bundle).flatMap(({ fileName, code, source }) => {
    const text = code ?? source
    return typeof text === 'string' ? [{ file: fileName, code: text }] : []
  })
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

/** Looks at what webpack and Rspack give out. */
export function webpackOutput<Source>(
  host: Pick<Host, 'ids' | 'session'>,
  compiler: CompilerLike<Source>,
  toSource: (text: string) => Source,
): void {
  compiler.hooks.thisCompilation.tap(PACKAGE, (compilation) => {
    const tap = { name: PACKAGE, stage: STAGE_REPORT }
    const scripts = (): EmittedChunk[] =>
      compilation
        .getAssets()
        .filter(({ name }) => isScript(name))
        .map(({ name, source }) => ({ file: name, code: source.source().toString() }))
    compilation.hooks.processAssets.tapPromise(tap, async () => {
      await refuseKey(host, scripts)
      const manifest = await manifestOf(host, scripts)
      if (manifest !== undefined) compilation.emitAsset(manifest.file, toSource(manifest.text))
    })
  })
}

/** What esbuild is told no name for, it calls `<stdout>`. */
function isScript(name: string): boolean {
  return /\.[cm]?js$|<stdout>$/.test(name)
}

/**
 * Looks at what esbuild gives out. The manifest stands beside what it has written, or is added to
 * what is kept in memory.
 */
export function esbuildOutput(host: Pick<Host, 'ids' | 'session'>, build: PluginBuild): void {
  const { initialOptions } = build
  const { absWorkingDir = process.cwd(), outdir, outfile = 'out.js' } = initialOptions
  const folder = resolve(absWorkingDir, outdir ?? dirname(outfile))
  // The one place that says which files were written.
  initialOptions.metafile = true
  build.onEnd(async (result) => {
    if (result.errors.length > 0) return
    const scripts = (): Promise<EmittedChunk[]> => emittedBy(result, { absWorkingDir, folder })
    await refuseKey(host, scripts)
    const manifest = await manifestOf(host, scripts)
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
