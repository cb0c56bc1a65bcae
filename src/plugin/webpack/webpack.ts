import type { UnpluginOptions } from 'unplugin'
import { parseModule } from '../../codegen/parse-module.ts'
import { mergeUsedNames, type UsedNames, findUsedNames } from '../../analysis/by-use/used-names.ts'
import { debugUse } from '../importers.ts'
import type { Host } from '../host.ts'
import type { ModuleName, WorkspaceIds } from '../ids.ts'
import { webpackOutput } from './webpack-output.ts'
import type { BuildContext } from '../build-context.ts'
import { assertSinglePlugin } from '../single-plugin.ts'
import { checkCachedModules } from './webpack-cache.ts'
import { type ClientCompilation, guardClient } from './webpack-client.ts'
import { rebuildOnChange, type WatchingCompiler } from './webpack-watch.ts'

/** The part of the API that webpack and Rspack share. */
interface CompilerLike extends WatchingCompiler {
  readonly context: string
  readonly options: {
    readonly mode?: string | undefined
    readonly externalsPresets?: { readonly web?: boolean; readonly node?: boolean }
    readonly plugins?: readonly unknown[] | undefined
  }
  readonly hooks: WatchingCompiler['hooks'] & {
    readonly compilation: Tappable<CompilationLike>
    readonly normalModuleFactory: Tappable<{
      readonly hooks: { readonly beforeResolve: Tappable<ResolveData> }
    }>
  }
}

interface Tappable<Value> {
  tap(options: string | { name: string; stage: number }, callback: (value: Value) => void): void
}

interface CompilationLike extends ClientCompilation {
  readonly hooks: ClientCompilation['hooks'] & {
    readonly succeedModule: Tappable<ModuleLike>
    readonly stillValidModule?: Tappable<ModuleLike>
  }
}

interface ModuleLike {
  identifier(): string
  nameForCondition?(): string | null | undefined
  originalSource(): { source(): string | Buffer } | null
}

interface ResolveData {
  request: string
  /** `esm` for `import` and `import()`. Rspack doesn't set it. */
  readonly dependencyType?: string
  readonly contextInfo: { readonly issuer: string }
}

interface Bundler<Compiler> {
  readonly NormalModuleReplacementPlugin: new (
    pattern: RegExp,
    replace: (resource: ResolveData) => void,
  ) => { apply(compiler: Compiler): void }
}

/** Hooks for webpack only. */
export function webpackHook(host: Host): Exclude<UnpluginOptions['webpack'], undefined> {
  const apply = webpackHooks(host)
  return (compiler) => {
    const { sources } = compiler.webpack
    assertSinglePluginIn(compiler, host)
    apply(compiler, compiler.webpack)
    checkCachedModules(host, compiler)
    webpackOutput(host, compiler, (text) => new sources.RawSource(text))
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
 * Hooks for webpack and Rspack. Both reject the unknown scheme `virtual:` before they call any
 * plugin, so the request is rewritten to the resolved id, which has no scheme. The importer is
 * already built by then, so its request can point to what it uses.
 */
export function webpackHooks(
  host: Host,
): <Compiler extends CompilerLike>(compiler: Compiler, bundler: Bundler<Compiler>) => void {
  const { ids, importers, setContext } = host
  return (compiler, { NormalModuleReplacementPlugin }) => {
    setContext(contextOf(compiler))
    guardClient(host, compiler)
    rebuildOnChange(host, compiler)
    const uses = collectUses(ids, compiler)
    const register = (use: ReadonlySet<string>): ModuleName => {
      const importer = importers.register(JSON.stringify([...use].toSorted()), () => use)
      return { kind: 'entry', importer }
    }
    compiler.hooks.normalModuleFactory.tap(ids.plugin, ({ hooks }) => {
      // Before all plugins that may rewrite another request to this specifier.
      hooks.beforeResolve.tap({ name: ids.plugin, stage: -Infinity }, (data) => {
        if (data.request !== ids.entry || (data.dependencyType ?? 'esm') !== 'esm') return
        const use = uses(data.contextInfo.issuer)
        if (use !== 'all') data.request = ids.resolved(register(use))
      })
    })
    new NormalModuleReplacementPlugin(ids.entryPattern, (resource) => {
      resource.request = ids.resolved({ kind: 'entry' })
    }).apply(compiler)
    new NormalModuleReplacementPlugin(new RegExp(`^${ids.entry}/`), (resource) => {
      resource.request = `\0${resource.request}`
    }).apply(compiler)
  }
}

function contextOf({ context, options }: CompilerLike): Partial<BuildContext> {
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
  { plugin, entry }: WorkspaceIds,
  compiler: CompilerLike,
): (file: string) => UsedNames {
  const replacements = providedBy(compiler)
  const files = new Map<string, Map<string, UsedNames>>()
  const collect = (module: ModuleLike): void => {
    const file = module.nameForCondition?.()
    const code = module.originalSource()?.source().toString()
    if (typeof file !== 'string' || !code?.includes(entry)) return
    const modules = files.get(file) ?? new Map<string, UsedNames>()
    const analysis = findUsedNames(code, { id: entry, parsers: [parseModule], replacements })
    debugUse(file, analysis)
    files.set(file, modules.set(module.identifier(), analysis.use))
  }
  compiler.hooks.compilation.tap(plugin, ({ hooks }) => {
    hooks.succeedModule.tap(plugin, collect)
    hooks.stillValidModule?.tap(plugin, collect)
  })
  return (file) => mergeUsedNames([...(files.get(file)?.values() ?? ['all'])])
}

/**
 * The modules that `ProvidePlugin` imports for undeclared names, as string literals. Rspack's
 * plugin keeps its arguments.
 */
function providedBy({ options: { plugins = [] } }: CompilerLike): string[] {
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
