import { randomUUID } from 'node:crypto'
import { appendFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, extname, isAbsolute, join, resolve } from 'node:path'
import type { BuildResult, Loader, Metafile, OutputFile, PluginBuild } from 'esbuild'
import type { UnpluginBuildContext, UnpluginOptions } from 'unplugin'
import { PACKAGE_NAME } from '../../core/workspace-name.ts'
import { sha256 } from '../../fs/files.ts'
import { writeGenerated } from '../../fs/generated-file.ts'
import { relativePath } from '../../fs/paths.ts'
import { importChain } from '../client-guard.ts'
import type { Host } from '../host.ts'
import { assertSinglePlugin } from '../ids.ts'
import { createHooks } from '../index.ts'
import { type EmittedFile, inspectOutput, modulesByPath } from '../output.ts'
import type { BuildContext } from '../session.ts'
import type { Snapshot } from '../snapshot.ts'
import { type ResolveRequest, languageOf, readUnclaimedFiles } from '../unclaimed-files.ts'

type EsbuildHooks = Exclude<UnpluginOptions['esbuild'], undefined>

/** The hooks for esbuild. */
export function esbuildHooks(host: Host): UnpluginOptions {
  const hooks = createHooks(host)
  const start = createEsbuildStart(host)
  return {
    ...hooks,
    resolveId: {
      ...hooks.resolveId,
      async handler(id, importer) {
        await start.watch(this)
        return host.resolve(id, importer, this)
      },
    },
    esbuild: buildHooks(host, start),
  }
}

/** An esbuild plugin sees only the files that it loads itself. */
function buildHooks(host: Host, start: EsbuildStart): EsbuildHooks {
  const { ids, setContext } = host
  return {
    onResolveFilter: new RegExp(`^${ids.entry}(?:/|$)`),
    onLoadFilter: new RegExp(`${ids.entry}(?:/|$)`),
    config({ absWorkingDir, plugins = [] }) {
      // unplugin calls this hook with its build context, which the type lacks.
      const context = this as Pick<UnpluginBuildContext, 'getNativeBuildContext'>
      const native = context.getNativeBuildContext?.()
      if (native?.framework !== 'esbuild') return
      const { build } = native
      assertSinglePlugin(ids, plugins)
      esbuildOutput(host, build)
      start.follow(build)
      const read = (path: string): Promise<string> => readAsJavaScript(path, build)
      setContext({
        shape: 'object',
        readImporter: readUnclaimedFiles({ build, ids, plugins, read, resolve: resolver(build) }),
        clientChain: watchEsbuildClient(host, build),
        ...(absWorkingDir === undefined ? {} : { root: absWorkingDir }),
      })
    },
  }
}

function resolver(build: PluginBuild): ResolveRequest {
  return async ({ specifier, kind }, importer) => {
    const place = { importer, resolveDir: dirname(importer), namespace: 'file' }
    return (await build.resolve(specifier, { kind, ...place })).path
  }
}

/** Reads a file as esbuild bundles it: types removed, `define` applied. */
async function readAsJavaScript(
  path: string,
  { esbuild, initialOptions }: PluginBuild,
): Promise<string> {
  const source = await readFile(path, 'utf8')
  const { loader: loaders, define, jsx, jsxFactory, jsxFragment } = initialOptions
  const loader = loaders?.[extname(path)] ?? (languageOf(path) as Loader)
  const options = { define, jsx, jsxFactory, jsxFragment }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value != null))
  const { code } = await esbuild.transform(source, { ...given, loader, logLevel: 'silent' })
  return code
}

/** Starts the builds of one plugin in esbuild, and adds the files that they watch. */
export interface EsbuildStart {
  follow(build: Pick<PluginBuild, 'onStart' | 'onEnd' | 'onDispose'>): void
  /**
   * Adds the watched files. This happens while resolving, since a module that fails to load adds
   * none.
   *
   * @param context - `this` of the resolve hook
   */
  watch(context: Pick<UnpluginBuildContext, 'addWatchFile'>): Promise<void>
}

/**
 * Makes esbuild rebuild when the lock or the options change, also while a build starts.
 *
 * esbuild compares a watched file with its content at the moment when a plugin adds it, which is
 * after the start of the build. It misses a change in between: the output is old, or the build
 * keeps failing with the error of a lock that is fixed. So the end of each build checks the session.
 * A plugin can request a rebuild only by changing a watched file: each build watches a temporary file
 * of its own, which exists only after such a request.
 */
export function createEsbuildStart({
  session,
  start,
}: Pick<Host, 'session' | 'start'>): EsbuildStart {
  const request = join(tmpdir(), `${PACKAGE_NAME}-${randomUUID()}`)
  const served = (): Promise<Snapshot | undefined> =>
    session()
      .snapshot()
      .catch(() => undefined)
  let started: Snapshot | undefined
  return {
    follow({ onStart, onEnd, onDispose }) {
      onStart(async () => {
        try {
          started = await start()
        } catch (error) {
          started = await served()
          throw error
        }
      })
      onEnd(async () => {
        const isStale = (await session().staleSource()) !== undefined
        // Another build that shares the session may have read the change.
        if (isStale || (await served()) !== started) appendFileSync(request, '.')
      })
      onDispose(() => rmSync(request, { force: true }))
    },
    async watch(context) {
      for (const path of [request, ...(await session().sources())]) context.addWatchFile(path)
    },
  }
}

/**
 * Guards the client code of one esbuild build. The import chain is known only at the end of the
 * build, so a warning is printed then. An error is thrown immediately.
 */
function watchEsbuildClient(
  { guard }: Pick<Host, 'guard'>,
  { initialOptions, onStart, onEnd }: PluginBuild,
): BuildContext['clientChain'] {
  const { platform = 'browser', absWorkingDir = process.cwd() } = initialOptions
  if (platform !== 'browser') return () => undefined
  const importers = new Set<string>()
  onStart(() => importers.clear())
  onEnd(async ({ errors, metafile }) => {
    if (errors.length > 0 || metafile === undefined) return
    const [importer] = importers
    if (importer !== undefined)
      await guard.check(chainIn(metafile, nameIn(absWorkingDir, importer)))
  })
  return async (importer) => {
    if ((await guard.strictness()) === 'error') return [importer]
    importers.add(importer)
    return undefined
  }
}

/** The name of a file in a metafile. */
function nameIn(folder: string, path: string): string {
  return isAbsolute(path) ? relativePath(folder, path) : path
}

function chainIn({ inputs }: Metafile, importer: string): readonly string[] {
  const importers = new Map<string, string[]>()
  for (const [file, { imports }] of Object.entries(inputs)) {
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), file])
  }
  return importChain(importer, (file) => ({ importers: importers.get(file) ?? [] }))
}

/**
 * Inspects the output of esbuild. The manifest is written next to the output files, or added to the
 * output files in memory.
 */
function esbuildOutput(host: Pick<Host, 'ids' | 'session'>, build: PluginBuild): void {
  const { initialOptions } = build
  const { absWorkingDir = process.cwd(), outdir, outfile = 'out.js' } = initialOptions
  const folder = resolve(absWorkingDir, outdir ?? dirname(outfile))
  // Only the metafile lists the written files, and the modules in each.
  initialOptions.metafile = true
  build.onEnd(async (result) => {
    if (result.errors.length > 0) return
    const isWritten = result.outputFiles === undefined
    const manifest = await inspectOutput(host, {
      files: filesOf(result, { absWorkingDir, folder }),
      folder: isWritten ? folder : undefined,
    })
    if (manifest === undefined) return
    const { file, text } = manifest
    const path = join(folder, file)
    if (isWritten) await writeGenerated([{ path, text }], absWorkingDir)
    else result.outputFiles?.push(inMemory(path, text))
  })
}

function inMemory(path: string, text: string): OutputFile {
  return { path, text, contents: new TextEncoder().encode(text), hash: sha256(text) }
}

function filesOf(
  { outputFiles, metafile }: BuildResult,
  { absWorkingDir, folder }: { readonly absWorkingDir: string; readonly folder: string },
): EmittedFile[] {
  const modules = modulesByPath(metafile, absWorkingDir)
  const emitted = (path: string, read: EmittedFile['read']): EmittedFile => ({
    file: relativePath(folder, path),
    modules: modules.get(resolve(absWorkingDir, path)),
    read,
  })
  return outputFiles === undefined
    ? [...modules.keys()].map((path) => emitted(path, () => readFile(path)))
    : outputFiles.map(({ path, contents }) => emitted(path, () => contents))
}
