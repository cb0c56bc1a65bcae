import { createWebpackPlugin, type UnpluginOptions } from 'unplugin'
import type { Compilation, Compiler, Module, NormalModule } from 'webpack'
import { formatCommand, PACKAGE_NAME } from '../../core/workspace-name.ts'
import { type BuildWatch, createBuildWatch } from '../build-watch.ts'
import type { BuildContext } from '../context.ts'
import { createHooks } from '../hooks.ts'
import type { Host } from '../host.ts'
import { assertSinglePlugin, GROUPS, idOfPath, type ModuleName, type WorkspaceIds } from '../ids.ts'
import { type Build, createInstance, type PluginInstance } from '../instance.ts'
import { refuseExternal, refuseKey } from '../output.ts'
import type { ApplyPlugin, PluginFactory } from '../plugin-factory.ts'
import type { Snapshot } from '../snapshot.ts'

/** The plugin for webpack. Several compilers may use it, each of which has a host of its own. */
export const webpackPlugin: PluginFactory<ApplyPlugin> = (options) => {
  const instance = createInstance(options)
  const { ids } = instance
  return {
    apply(webpack) {
      const compiler = webpack as Compiler
      const build = instance.build({ ...contextOf(compiler), groups: WEBPACK_GROUPS })
      createWebpackPlugin(() => createUnpluginHooks(ids, build))(undefined).apply(compiler)
      setUp(compiler, { ids, build })
      checkCachedModules(compiler, { ids, build })
    },
  }
}

/**
 * The fewer prompts share a module, the more often that of a lazy route is alone in its chunk. 256 modules cost webpack
 * little that can be measured, and a module for each makes a build of 1,000 prompts 1.4 s slower.
 */
const WEBPACK_GROUPS = 256

/**
 * The hooks of unplugin, which get the ids that {@link resolveRequests} has resolved. They see no other requests of
 * these modules: in both bundlers, an alias of `virtual:prompts` fails.
 */
export function createUnpluginHooks(ids: WorkspaceIds, build: Build): UnpluginOptions {
  const resolveId = { filter: { id: ids.resolvedPattern }, handler: (id: string) => id }
  return { ...createHooks(ids, build), resolveId }
}

/** The build of a compiler, and the ids of its modules. */
interface CompilerBuild extends Pick<PluginInstance, 'ids'> {
  readonly build: Build
}

/**
 * Sets up a compiler of webpack or Rspack. Both reject the unknown scheme `virtual:` before they call any
 * plugin, so the request is rewritten to the resolved id, which has no scheme. Child compilers have the same hooks.
 */
export function setUp(
  compiler: Compiler,
  ofCompiler: CompilerBuild,
  requestBuild: RequestBuild = ({ watching }) => watching?.invalidate(),
): void {
  const { ids } = ofCompiler
  assertSinglePlugin(ids, [...compiler.hooks.make.taps, { name: ids.plugin }])
  startBuilds(compiler, ofCompiler, requestBuild)
  checkNames(compiler, ofCompiler)
  searchOutput(compiler, ofCompiler)
  // Otherwise webpack keeps unused prompts in development, and in a build without a minimizer.
  const test = (path: string): boolean => ids.resolvedPattern.test(idOfPath(path))
  compiler.options.module.rules.push({ test, sideEffects: false })
  resolveRequests(compiler, ofCompiler)
}

/** Resolves the requests of the app, also those that a cache on the disk resolves. */
function resolveRequests(compiler: Compiler, { ids, build }: CompilerBuild): void {
  compiler.hooks.normalModuleFactory.tap(ids.plugin, ({ hooks }) =>
    hooks.beforeResolve.tapPromise(ids.plugin, async (resource) => {
      const { request, contextInfo } = resource
      if (!ids.specifierPattern.test(request)) return
      const importer = idOfPath(contextInfo.issuer) || undefined
      const host = await build()
      resource.request = await host.resolve(request, importer, compiler).catch((error: unknown) => {
        throw withoutDetails(error)
      })
    }),
  )
}

/** What a compiler of webpack or Rspack reports about its builds. */
export function contextOf(compiler: Compiler): Partial<BuildContext> {
  const { context, options } = compiler
  const { mode } = options
  // Plugins run before webpack applies its defaults, which move the condition to `byDependency`. The edge runtime of
  // Next is a server, but has a target of the web.
  const isEdge = options.resolve.conditionNames?.includes('edge-light') ?? false
  const isClient = (): boolean => {
    const { web = false, node = false } = options.externalsPresets ?? {}
    return web && !node && !isEdge
  }
  const common = { root: context, groups: GROUPS, isClient }
  if (mode === undefined || mode === 'none') return common
  return { ...common, mode, production: mode === 'production' }
}

/** Requests a build of a watch, because files have changed. */
type RequestBuild = (compiler: Compiler, paths: readonly string[]) => void

/** Starts each build, and between the builds of a watch looks for what webpack's watcher misses. */
function startBuilds(
  compiler: Compiler,
  { ids: { plugin }, build }: CompilerBuild,
  requestBuild: RequestBuild,
): void {
  const { make, watchRun, done, failed, watchClose } = compiler.hooks
  make.tapPromise(plugin, async (compilation) => {
    const { fileDependencies } = compilation
    const hook = { addWatchFile: (path: string) => void fileDependencies.add(path) }
    try {
      await (await build()).start(hook)
    } catch (error) {
      failCompilation(error, compiler, compilation)
    }
  })
  let watch: BuildWatch | undefined
  let naming: Promise<void> | undefined
  const stop = (): void => watch?.stop()
  const built = async (): Promise<void> => {
    if (!compiler.watchMode) return
    const host = await build()
    watch ??= createBuildWatch(host.session, (paths) => requestBuild(compiler, paths))
    watch.start()
    naming ??= namePage(host, compiler.getInfrastructureLogger(plugin))
  }
  watchRun.tap(plugin, stop)
  done.tap(plugin, () => void built())
  failed.tap(plugin, () => void built())
  watchClose.tap(plugin, stop)
}

/** Names the command of the page, which a dev server of Vite would have. */
async function namePage(host: Host, logger: { info(text: string): void }): Promise<void> {
  const loaded = await host.loaded().catch(() => undefined)
  const { page, name } = loaded?.project.options ?? {}
  if (page && name !== undefined) logger.info(`Prompts: npx ${formatCommand(name, 'ui')}`)
}

/**
 * Compares cached modules with the lock. webpack's disk cache compares only the modification time,
 * which can be the same after a checkout.
 */
function checkCachedModules(compiler: Compiler, { ids, build }: CompilerBuild): void {
  const checked = new WeakMap<object, Snapshot>()
  const isStale = async (module: NormalModule): Promise<boolean> => {
    const id = idOfPath(module.resource)
    if (!ids.resolvedPattern.test(id)) return false
    const host = await build()
    const { snapshot } = await host.loaded()
    if (checked.get(module) === snapshot) return false
    checked.set(module, snapshot)
    const code = await host.load(id, { addWatchFile: () => undefined })
    return module.originalSource()?.source().toString() !== code
  }
  compiler.hooks.compilation.tap(ids.plugin, (compilation) => {
    const { needBuild } = compiler.webpack.NormalModule.getCompilationHooks(compilation)
    needBuild.tapPromise(ids.plugin, isStale)
  })
}

/**
 * Checks the names that modules use, in their code after all loaders. webpack's own warning of a member has
 * neither the place nor the nearest name, and there is none of a destructured name.
 */
function checkNames(compiler: Compiler, { ids: { plugin }, build }: CompilerBuild): void {
  compiler.hooks.compilation.tap(plugin, (compilation) => {
    compilation.hooks.finishModules.tapPromise(plugin, async (modules) => {
      try {
        await checkImporters(await build(), modules, compilation)
      } catch (error) {
        failCompilation(error, compiler, compilation)
      }
    })
  })
}

async function checkImporters(
  host: Host,
  modules: Iterable<Module>,
  { moduleGraph }: Compilation,
): Promise<void> {
  const { ids } = host.context
  const nameOf = (module: Module): ModuleName | undefined => ids.parse(idOfPath(fileOf(module)))
  for (const module of modules) {
    const name = nameOf(module)
    if (name === undefined || !('staging' in name)) continue
    const connections = [...moduleGraph.getIncomingConnections(module)]
    for (const importer of new Set(connections.map(({ originModule }) => originModule))) {
      const code = importer?.originalSource()?.source().toString()
      if (importer === null || nameOf(importer) !== undefined || code === undefined) continue
      await host.checkCode(code, { path: fileOf(importer), module: name })
    }
  }
}

/** The file of a module; empty if it has none. */
function fileOf(module: Module): string {
  return (module as Partial<NormalModule>).resource ?? ''
}

/** The request of a module, which of an external one is as in the code. */
function requestOf(module: Module): string {
  return (module as Partial<NormalModule>).userRequest ?? ''
}

/** webpack's PROCESS_ASSETS_STAGE_REPORT, after everything that changes assets. */
const STAGE_REPORT = 5000

/** Searches the output of webpack and Rspack for imports of these modules and the key. */
function searchOutput(compiler: Compiler, { ids, build }: CompilerBuild): void {
  compiler.hooks.thisCompilation.tap(PACKAGE_NAME, (compilation) => {
    const tap = { name: PACKAGE_NAME, stage: STAGE_REPORT }
    compilation.hooks.processAssets.tapPromise(tap, async () => {
      const host = await build()
      // In a watch, a start that has failed has failed the build. Another error would end the watch.
      if ((await host.loaded().catch(() => undefined)) === undefined) return
      refuseExternal(ids, [...compilation.modules].map(requestOf))
      const files = compilation
        .getAssets()
        .map(({ name, source }) => ({ file: name, read: () => source.source() }))
      await refuseKey(host, files)
    })
  })
}

/**
 * Fails one build of webpack or Rspack. In a watch the error is added to the compilation, since a
 * hook that throws would end the watch.
 *
 * @throws the error, unless this is a watch
 */
function failCompilation(
  error: unknown,
  { watchMode }: Pick<Compiler, 'watchMode'>,
  { errors }: { readonly errors: unknown[] },
): void {
  if (!watchMode) throw error
  errors.push(withoutDetails(error))
}

/** webpack prints the `details` of a resolve error and expects a string. */
function withoutDetails(error: unknown): unknown {
  return error instanceof Error ? new Error(error.message, { cause: error }) : error
}
