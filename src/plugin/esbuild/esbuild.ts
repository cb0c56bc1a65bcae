import { randomUUID } from 'node:crypto'
import { appendFileSync, rmSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, extname, join, resolve } from 'node:path'
import type { Loader, PluginBuild } from 'esbuild'
import { PACKAGE_NAME } from '../../core/workspace-name.ts'
import { suggestModule } from '../../errors/did-you-mean.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { relativePath } from '../../fs/paths.ts'
import type { Host } from '../host.ts'
import { assertSinglePlugin, type WorkspaceIds } from '../ids.ts'
import type { PluginInstance } from '../instance.ts'
import { type EmittedFile, refuseExternal, refuseKey } from '../output.ts'
import type { PluginFactory, SetupPlugin } from '../plugin-factory.ts'
import { createSetupPlugin, languageOf, readUnclaimedFiles, serveModules } from '../setup-build.ts'
import type { Loaded } from '../session.ts'

/** The plugin for esbuild. */
export const esbuildPlugin: PluginFactory<SetupPlugin> = createSetupPlugin(setup)

async function setup(build: PluginBuild, instance: PluginInstance): Promise<void> {
  const { ids } = instance
  const { absWorkingDir, plugins = [], platform = 'browser', format } = build.initialOptions
  assertSinglePlugin(ids, plugins)
  // Only the metafile lists the written files.
  build.initialOptions.metafile = true
  const readImporter = readUnclaimedFiles(build, ids, plugins, async (path) => ({
    code: await readAsJavaScript(path, build),
    resolve: async ({ specifier, kind }) => {
      const place = { importer: path, resolveDir: dirname(path), namespace: 'file' }
      return (await build.resolve(specifier, { kind, ...place })).path
    },
  }))
  const host = await instance.build({
    shape: 'object',
    watched: false,
    readImporter,
    isClient: () => platform === 'browser' || format === 'iife',
    ...(absWorkingDir === undefined ? {} : { root: absWorkingDir }),
  })()
  searchOutput(host, build)
  serveModules(build, host, rebuildOnChange(host, build))
  refuseMisspelt(build, ids)
}

/** Answers a misspelt specifier if no other plugin does, instead of esbuild's advice to make it external. */
function refuseMisspelt(
  { onResolve, resolve: resolveOther }: PluginBuild,
  { entry }: WorkspaceIds,
): void {
  onResolve({ filter: /^virtual:/ }, async ({ path, pluginData, ...place }) => {
    if (pluginData === PACKAGE_NAME || suggestModule(path, entry) === '') return undefined
    const { errors } = await resolveOther(path, { ...place, pluginData: PACKAGE_NAME })
    if (errors.length > 0) throw new PromptsError('MODULE_UNKNOWN', { id: path, module: entry })
    return undefined
  })
}

/** Reads a file as esbuild bundles it: types and JSX removed, `define` applied. */
async function readAsJavaScript(
  path: string,
  { esbuild, initialOptions }: PluginBuild,
): Promise<string> {
  const source = await readFile(path, 'utf8')
  const { loader: loaders, define = {} } = initialOptions
  const loader = loaders?.[extname(path)] ?? (languageOf(path) as Loader)
  const transform = (experimentalDecorators: boolean): Promise<{ code: string }> =>
    esbuild.transform(source, {
      define,
      loader,
      logLevel: 'silent',
      // The parser of the analysis does not know their syntax.
      supported: { decorators: false },
      tsconfigRaw: { compilerOptions: { experimentalDecorators } },
    })
  // Decorators are standard or experimental, as tsconfig.json says, which is not read here.
  const { code } = await transform(false).catch(() => transform(true))
  return code
}

/**
 * Makes esbuild rebuild when the lock or the options change, also while a build starts.
 *
 * esbuild compares a watched file with its content at the moment when a plugin adds it, which is
 * after the start of the build. It misses a change in between: the output is old, or the build
 * keeps failing with the error of a lock that is fixed. So the end of each build checks the session.
 * A plugin can request a rebuild only by changing a watched file: each build watches a temporary file
 * of its own, which exists only after such a request.
 *
 * @returns a function that returns the files that a build watches
 */
export function rebuildOnChange(
  host: Host,
  { onStart, onEnd, onDispose }: Pick<PluginBuild, 'onStart' | 'onEnd' | 'onDispose'>,
): () => Promise<string[]> {
  const request = join(tmpdir(), `${PACKAGE_NAME}-${randomUUID()}`)
  const { session, context } = host
  const current = (): Promise<Loaded | undefined> =>
    session.loaded(context.notify).catch(() => undefined)
  let started: Loaded | undefined
  onStart(async () => {
    try {
      started = await host.start()
    } catch (error) {
      started = await current()
      throw error
    }
  })
  onEnd(async () => {
    const isStale = (await session.staleSource()) !== undefined
    // Another build that shares the session may have read the change.
    if (isStale || (await current()) !== started) appendFileSync(request, '.')
  })
  onDispose(() => rmSync(request, { force: true }))
  return async () => [request, ...(await session.sources())]
}

/** Searches the output of esbuild for imports of these modules and the key. What has the key is removed. */
function searchOutput(host: Host, { initialOptions, onEnd }: PluginBuild): void {
  const { absWorkingDir = process.cwd(), outdir, outfile = 'out.js' } = initialOptions
  const folder = resolve(absWorkingDir, outdir ?? dirname(outfile))
  onEnd(async ({ errors, outputFiles, metafile: { outputs } = { outputs: {} } }) => {
    if (errors.length > 0) return
    const imports = Object.values(outputs).flatMap((output) => output.imports)
    refuseExternal(
      host.context.ids,
      imports.map(({ path }) => path),
    )
    const written = Object.keys(outputs).map((name): EmittedFile => {
      const path = resolve(absWorkingDir, name)
      const file = relativePath(folder, path)
      return { file, read: () => readFile(path), remove: () => rm(path) }
    })
    const emitted = outputFiles?.map(({ path, contents }): EmittedFile => {
      return { file: relativePath(folder, path), read: () => contents }
    })
    await refuseKey(host, emitted ?? written)
  })
}
