import type { Compiler, Module, NormalModule } from 'webpack'
import type { UnpluginOptions } from 'unplugin'
import { parseModule } from '../../codegen/assert-only-data.ts'
import { mergeUsedNames, type UsedNames, findUsedNames } from '../../analysis/by-use/used-names.ts'
import { debugUse, importerKey } from '../importers.ts'
import type { Host } from '../host.ts'
import type { BuildContext } from '../session.ts'
import { createHooks } from '../index.ts'
import { assertSinglePlugin, type ModuleName, type WorkspaceIds, idOfPath } from '../ids.ts'
import { webpackOutput } from './webpack-output.ts'
import { createBuildWatch } from '../build-watch.ts'
import { guardClient } from './webpack-client.ts'
import { failBuild, withoutDetails } from './webpack-errors.ts'
import type { Snapshot } from '../snapshot.ts'

type RspackCompiler = Parameters<Exclude<UnpluginOptions['rspack'], undefined>>[0]

/** The hooks for webpack. */
export function webpackHooks(host: Host): UnpluginOptions {
  const hooks = createHooks(host)
  const apply = createApply(host)
  return {
    ...hooks,
    buildStart: createBuildStart(host),
    resolveId: {
      ...hooks.resolveId,
      handler(id, importer) {
        return host.resolve(id, importer, this).catch((error: unknown) => {
          throw withoutDetails(error)
        })
      },
    },
    webpack(compiler) {
      assertSinglePluginIn(compiler, host)
      apply(compiler)
      checkCachedModules(host, compiler)
    },
  }
}

/** The start of a build of webpack or Rspack, which a watch survives. */
export function createBuildStart({ start }: Host): NonNullable<UnpluginOptions['buildStart']> {
  return async function () {
    await start(this).catch((error: unknown) => failBuild(error, this))
  }
}

/** unplugin taps this hook with the plugin's name after this check, so the name is added here. */
export function assertSinglePluginIn(
  { hooks }: { readonly hooks: { readonly make: { readonly taps: readonly unknown[] } } },
  { ids }: Pick<Host, 'ids'>,
): void {
  assertSinglePlugin(ids, [...hooks.make.taps, { name: ids.plugin }])
}

/**
 * Sets up a compiler of webpack or Rspack. Both reject the unknown scheme `virtual:` before they call any
 * plugin, so the request is rewritten to the resolved id, which has no scheme. The importer is
 * already built by then, so its request can point to what it uses.
 */
export function createApply(host: Host): (compiler: Compiler | RspackCompiler) => void {
  const { ids, setContext } = host
  return (given) => {
    // Rspack has the same API, as far as it is used here.
    const compiler = given as Compiler
    setContext(contextOf(compiler))
    guardClient(host, compiler)
    rebuildOnChange(host, compiler)
    webpackOutput(host, compiler)
    for (const staging of [false, true]) serveByUse(host, compiler, staging)
    const { NormalModuleReplacementPlugin } = compiler.webpack
    new NormalModuleReplacementPlugin(new RegExp(`^${ids.entry}(?:/|$)`), (resource) => {
      resource.request = `\0${resource.request}`
    }).apply(compiler)
  }
}

/** Gives the modules of a file the prompts that they name, of the lock or of the test lock. */
function serveByUse({ ids, importers }: Host, compiler: Compiler, staging: boolean): void {
  const entry = ids.module({ kind: 'entry', staging })
  const uses = collectUses(entry, ids, compiler)
  const register = (use: ReadonlySet<string>): ModuleName => {
    const importer = importerKey(JSON.stringify([...use].toSorted()))
    importers.set(importer, () => use)
    return { kind: 'entry', staging, importer }
  }
  compiler.hooks.normalModuleFactory.tap(ids.plugin, ({ hooks }) => {
    // Before all plugins that may rewrite another request to this specifier.
    hooks.beforeResolve.tap({ name: ids.plugin, stage: -Infinity }, (data) => {
      // Rspack doesn't set the type.
      const { dependencyType = 'esm' }: { dependencyType?: string } = data
      if (data.request !== entry || dependencyType !== 'esm') return
      const use = uses(data.contextInfo.issuer)
      if (use !== 'all') data.request = ids.resolved(register(use))
    })
  })
}

function rebuildOnChange({ ids: { plugin }, session }: Host, compiler: Compiler): void {
  const { watchRun, done, failed, watchClose } = compiler.hooks
  const { start, stop } = createBuildWatch(session)
  const built = (): void => {
    if (compiler.watchMode) start()
  }
  watchRun.tap(plugin, stop)
  done.tap(plugin, built)
  failed.tap(plugin, built)
  watchClose.tap(plugin, stop)
}

function contextOf({ context, options }: Compiler): Partial<BuildContext> {
  const { mode } = options
  const known = mode !== undefined && mode !== 'none'
  return {
    root: context,
    ...(known ? { mode, production: mode === 'production' } : {}),
  }
}

/**
 * Analyses every module after all loaders.
 *
 * @returns a function that returns what the modules of a file use. A file may have several modules,
 *   such as the parts of a `.vue` file, and webpack reports only the file.
 */
function collectUses(
  entry: string,
  { plugin }: WorkspaceIds,
  compiler: Compiler,
): (file: string) => UsedNames {
  const mention = new RegExp(`${entry}(?![/\\w])`)
  const replacements = providedBy(compiler)
  const files = new Map<string, Map<string, UsedNames>>()
  const collect = (module: Module): void => {
    const file = module.nameForCondition?.()
    const code = module.originalSource()?.source().toString()
    if (typeof file !== 'string' || code === undefined || !mention.test(code)) return
    const modules = files.get(file) ?? new Map<string, UsedNames>()
    const analysis = findUsedNames(code, { id: entry, parsers: [parseModule], replacements })
    debugUse(file, analysis)
    files.set(file, modules.set(module.identifier(), analysis.use))
  }
  compiler.hooks.compilation.tap(plugin, ({ hooks }) => {
    hooks.succeedModule.tap(plugin, collect)
    // Rspack has no such hook.
    ;(hooks as Partial<typeof hooks>).stillValidModule?.tap(plugin, collect)
  })
  return (file) => mergeUsedNames([...(files.get(file)?.values() ?? ['all'])])
}

/**
 * The modules that `ProvidePlugin` imports for undeclared names, as string literals. Rspack's
 * plugin keeps its arguments.
 */
function providedBy({ options: { plugins = [] } }: Compiler): string[] {
  return plugins.flatMap((plugin) => {
    const { definitions, _args: args = [] } = (plugin ?? {}) as ProvidePluginLike
    const requests = [definitions, ...args].flatMap((each) => Object.values(each ?? {}).flat())
    return requests.filter((each) => typeof each === 'string').map((each) => JSON.stringify(each))
  })
}

interface ProvidePluginLike {
  readonly definitions?: object
  readonly _args?: readonly object[]
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
