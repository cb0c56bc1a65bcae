import { createWebpackPlugin, type UnpluginOptions } from 'unplugin'
import type { Compilation, Compiler, Module, NormalModule } from 'webpack'
import { formatCommand, PACKAGE_NAME } from '../../core/workspace-name.ts'
import { createBuildWatch } from '../build-watch.ts'
import { createHooks, createHost, type Host } from '../host.ts'
import { assertSinglePlugin, GROUPS, idOfPath, type ModuleName } from '../ids.ts'
import { createInstance } from '../instance.ts'
import { refuseExternal, refuseKey } from '../output.ts'
import type { ApplyPlugin, PluginFactory } from '../plugin-factory.ts'
import type { BuildContext, Session } from '../session.ts'
import type { Snapshot } from '../snapshot.ts'

type RspackCompiler = Parameters<Exclude<UnpluginOptions['rspack'], undefined>>[0]

/** The plugin for webpack. */
export const webpackPlugin: PluginFactory<ApplyPlugin> = (options) =>
  createWebpackPlugin(webpackHooks)(createHost(createInstance(options)))

/**
 * The fewer prompts share a module, the more often that of a lazy route is alone in its chunk. 256 modules cost webpack
 * little that can be measured, and a module for each makes a build of 1,000 prompts 1.4 s slower.
 */
const WEBPACK_GROUPS = 256

function webpackHooks(host: Host): UnpluginOptions {
  const apply = createApply(host)
  return {
    ...createUnpluginHooks(host),
    webpack(compiler) {
      apply(compiler)
      host.setContext({ groups: WEBPACK_GROUPS })
      checkCachedModules(host, compiler)
    },
  }
}

/**
 * The hooks of unplugin, which get the ids that {@link resolveRequests} has resolved. They see no other requests of
 * these modules: in both bundlers, an alias of `virtual:prompts` fails.
 */
export function createUnpluginHooks(host: Host): UnpluginOptions {
  const resolveId = { filter: { id: host.ids.resolvedPattern }, handler: (id: string) => id }
  return { ...createHooks(host), resolveId }
}

/**
 * Sets up a compiler of webpack or Rspack. Both reject the unknown scheme `virtual:` before they call any
 * plugin, so the request is rewritten to the resolved id, which has no scheme.
 */
export function createApply(
  host: Host,
  requestBuild: RequestBuild = ({ watching }) => watching?.invalidate(),
): (compiler: Compiler | RspackCompiler) => void {
  const { ids, setContext } = host
  return (rspackOrWebpack) => {
    // Rspack has the same API, as far as it is used here.
    const compiler = rspackOrWebpack as Compiler
    assertSinglePlugin(ids, [...compiler.hooks.make.taps, { name: ids.plugin }])
    setContext({ ...contextOf(compiler), isClient: isForBrowser })
    // Plugins run before webpack applies its defaults, which move the condition to `byDependency`.
    if (compiler.options.resolve.conditionNames?.includes('edge-light')) EDGE.add(compiler)
    startBuilds(host, compiler, requestBuild)
    checkNames(host, compiler)
    searchOutput(host, compiler)
    // Otherwise webpack keeps unused prompts in development, and in a build without a minimizer.
    const test = (path: string): boolean => ids.resolvedPattern.test(idOfPath(path))
    compiler.options.module.rules.push({ test, sideEffects: false })
    resolveRequests(host, compiler)
  }
}

/** Resolves the requests of the app, also those that a cache on the disk resolves. */
function resolveRequests({ ids, resolve }: Host, compiler: Compiler): void {
  compiler.hooks.normalModuleFactory.tap(ids.plugin, ({ hooks }) =>
    hooks.beforeResolve.tapPromise(ids.plugin, async (resource) => {
      const { request, contextInfo } = resource
      if (!ids.specifierPattern.test(request)) return
      const importer = idOfPath(contextInfo.issuer) || undefined
      resource.request = await resolve(request, importer, compiler).catch((error: unknown) => {
        throw withoutDetails(error)
      })
    }),
  )
}

function contextOf({ context, options: { mode } }: Compiler): Partial<BuildContext> {
  const common = { root: context, byUse: false, groups: GROUPS }
  if (mode === undefined || mode === 'none') return common
  return { ...common, mode, production: mode === 'production' }
}

/** Requests a build of a watch, because files have changed. */
type RequestBuild = (compiler: Compiler, paths: readonly string[]) => void

/** Starts each build, and between the builds of a watch looks for what webpack's watcher misses. */
function startBuilds(
  { ids: { plugin }, session, start }: Host,
  compiler: Compiler,
  requestBuild: RequestBuild,
): void {
  const { make, watchRun, done, failed, watchClose } = compiler.hooks
  make.tapPromise(plugin, (compilation) => {
    const { fileDependencies } = compilation
    const context = { addWatchFile: (path: string) => void fileDependencies.add(path) }
    return start(context).then(
      () => undefined,
      (error: unknown) => failCompilation(error, compiler, compilation),
    )
  })
  const watch = createBuildWatch(session, (paths) => requestBuild(compiler, paths))
  let naming: Promise<void> | undefined
  const built = (): void => {
    if (!compiler.watchMode) return
    watch.start()
    naming ??= namePage(session(), compiler.getInfrastructureLogger(plugin))
  }
  watchRun.tap(plugin, watch.stop)
  done.tap(plugin, built)
  failed.tap(plugin, built)
  watchClose.tap(plugin, watch.stop)
}

/** Names the command of the page, which a dev server of Vite would have. */
async function namePage(session: Session, logger: { info(text: string): void }): Promise<void> {
  const options = (await session.project().catch(() => undefined))?.options
  if (options?.page) logger.info(`Prompts: npx ${formatCommand(options.name, 'ui')}`)
}

/**
 * Compares cached modules with the lock. webpack's disk cache compares only the modification time,
 * which can be the same after a checkout.
 */
function checkCachedModules(
  { ids, session, load }: Pick<Host, 'ids' | 'session' | 'load'>,
  compiler: Compiler,
): void {
  const checked = new WeakMap<object, Snapshot>()
  const isStale = async (module: NormalModule): Promise<boolean> => {
    const id = idOfPath(module.resource)
    if (!ids.resolvedPattern.test(id)) return false
    const snapshot = await session().snapshot()
    if (checked.get(module) === snapshot) return false
    checked.set(module, snapshot)
    const code = await load(id, { addWatchFile: () => undefined })
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
function checkNames(host: Host, compiler: Compiler): void {
  const { plugin } = host.ids
  compiler.hooks.compilation.tap(plugin, (compilation) => {
    compilation.hooks.finishModules.tapPromise(plugin, (modules) =>
      checkImporters(host, modules, compilation).catch((error: unknown) =>
        failCompilation(error, compiler, compilation),
      ),
    )
  })
}

async function checkImporters(
  { ids, checkUse }: Host,
  modules: Iterable<Module>,
  { moduleGraph }: Compilation,
): Promise<void> {
  const { analyseImporter } = await import('../build.ts')
  const nameOf = (module: Module): ModuleName | undefined => ids.parse(idOfPath(fileOf(module)))
  for (const module of modules) {
    const name = nameOf(module)
    if (name === undefined || !('staging' in name)) continue
    const connections = [...moduleGraph.getIncomingConnections(module)]
    for (const importer of new Set(connections.map(({ originModule }) => originModule))) {
      const code = importer?.originalSource()?.source().toString()
      if (importer === null || nameOf(importer) !== undefined || code === undefined) continue
      const analysis = await analyseImporter({ code }, ids, name)
      await checkUse({ path: fileOf(importer), module: name }, analysis)
    }
  }
}

/** The compilers for the edge runtime of Next. It is a server, but has a target of the web. */
const EDGE = new WeakSet<object>()

/** @param compiler - of the hook, since several compilers may share a host */
function isForBrowser(compiler: object): boolean {
  const { web = false, node = false } = (compiler as Compiler).options.externalsPresets ?? {}
  return web && !node && !EDGE.has(compiler)
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
function searchOutput(host: Pick<Host, 'ids' | 'session'>, compiler: Compiler): void {
  compiler.hooks.thisCompilation.tap(PACKAGE_NAME, (compilation) => {
    const tap = { name: PACKAGE_NAME, stage: STAGE_REPORT }
    compilation.hooks.processAssets.tapPromise(tap, async () => {
      // In a watch, a start without a project has failed the build. Another error would end the watch.
      const project = await host
        .session()
        .project()
        .catch(() => undefined)
      if (project === undefined) return
      refuseExternal(host.ids, [...compilation.modules].map(requestOf))
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
