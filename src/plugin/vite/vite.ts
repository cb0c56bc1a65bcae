import type { UnpluginOptions } from 'unplugin'
import type { LibraryOptions, Plugin, ResolvedConfig } from 'vite'
import { createNotify } from '../../features/start/notify.ts'
import {
  installedVersion,
  unsupportedVite,
  viteError,
  vitestError,
} from '../../fs/installed-version.ts'
import { toForwardSlashes } from '../../fs/paths.ts'
import { createHooks, type Host } from '../host.ts'
import { assertSinglePlugin, GROUPS } from '../ids.ts'
import { type PluginInstance, createInstance } from '../instance.ts'
import type { HookPlugin, PluginFactory } from '../plugin-factory.ts'
import { createRollupHost, type RollupContext } from '../rollup/module-graph.ts'
import { BROWSER_FORMATS, buildHooks, replacementsFrom, outputHooks } from '../rollup/rollup.ts'
import type { BuildContext } from '../session.ts'
import { viteServerHooks } from './vite-server.ts'

type ViteHooks = Exclude<UnpluginOptions['vite'], undefined>

/** The plugin for Vite. */
export const vitePlugin: PluginFactory<HookPlugin> = (options) =>
  createVitePlugin(createInstance(options))

/**
 * The plugin for Vite, whose options a framework may have read before. It doesn't need unplugin, since Vite
 * has Rollup's hooks. Loading unplugin takes a third of this plugin's load time.
 */
export function createVitePlugin(instance: PluginInstance): HookPlugin {
  const host = createRollupHost(instance)
  const plugin: HookPlugin & Pick<ViteHooks, 'config'> = {
    // Vite bundles each worker with plugins of its own, side by side: so each has a host, and the same session.
    config: () => ({ worker: { plugins: () => [createVitePlugin(instance)] } }),
    ...createHooks(host),
    ...viteHooks(host),
    ...outputHooks(host),
  }
  return plugin
}

/** Hooks for Vite only: environments, a dev server, workers with their own plugins. */
export function viteHooks(host: Host): ViteHooks {
  const { ids, setContext } = host
  return {
    ...viteServerHooks(host),
    ...buildHooks(host),
    ...vitestHooks(host),

    load: {
      filter: { id: ids.importPattern },
      async handler(id) {
        // Vite 6.0 to 6.2 have no filters.
        if (!ids.importPattern.test(id)) return undefined
        const code = await host.load(id, this)
        return this.environment.mode === 'dev' ? { code, map: NO_MAP } : code
      },
    },

    configResolved(config) {
      // The plugins of workers may have this one too, as Vite's documents ask for: the first one serves.
      if (!config.isWorker) assertSinglePlugin(ids, config.plugins)
      setContext({
        ...contextOf(config),
        isClient,
        notify: createNotify(ids.plugin, (level, text) => config.logger[level](text)),
      })
    },
  }
}

/**
 * Whether a hook resolves an import of client code. Tests don't count, nor what Vite looks through before it
 * serves, nor a library, unless it has a format for browsers.
 */
function isClient(hook: object): boolean {
  const { environment } = hook as RollupContext
  if (environment?.config.consumer !== 'client' || environment.mode === 'scan') return false
  if (process.env['VITEST'] !== undefined) return false
  const { lib } = environment.config.build
  return !lib || formatsOf(lib).some((format) => BROWSER_FORMATS.includes(format))
}

/** The formats of a library, by default as Vite chooses them. */
function formatsOf({ entry, formats }: LibraryOptions): readonly string[] {
  const entries = typeof entry === 'object' ? Object.values(entry) : [entry]
  return formats ?? (entries.length === 1 ? ['umd'] : [])
}

/**
 * Otherwise a dev server maps each module to itself and sends the map with it. With 1,000 prompts, that
 * takes a third of the processor time of the first load, and a fifth of that of an update.
 */
const NO_MAP = { mappings: '' } as const

/**
 * What Vite's configuration reports about a build.
 *
 * @throws PromptsError BUNDLER_UNSUPPORTED in Vite 5 and older
 */
export function contextOf(config: ResolvedConfig): Partial<BuildContext> {
  assertSupported(config)
  const { root, envDir, envPrefix = [], mode, command, server, isProduction } = config
  return {
    root,
    // Vite's default is the root.
    envDir: envDir === false || envDir === root ? undefined : envDir,
    mode,
    published: { setting: 'envPrefix', prefixes: [envPrefix].flat() },
    byUse: command === 'build',
    groups: command === 'build' ? Infinity : GROUPS,
    replacements: replacementsIn(config),
    watched: server.hmr === false || isBundled(config),
    production: command === 'build' && isProduction,
  }
}

/**
 * Whether a dev server bundles, as Vite 8 does by an option: it knows no modules, only watched files. In the other
 * servers, a watched file would request all definitions again after each change.
 */
function isBundled({ experimental }: ResolvedConfig): boolean {
  return experimental?.bundledDev === true
}

/** Vite 5 and older resolve no environments. Vitest 2 adds one, without `build`. */
function assertSupported(config: ResolvedConfig): void {
  const { client }: Partial<ResolvedConfig['environments']> = config.environments ?? {}
  if (client?.build !== undefined) return
  const version = runningVersion(config) ?? '5 or older'
  const isOfVitest = process.env['VITEST'] !== undefined && !unsupportedVite(config.root)
  throw isOfVitest ? vitestError(version) : viteError(version)
}

/** The version of the Vite that runs, which may not be the app's, found by the path of its client. */
function runningVersion({ root, resolve }: ResolvedConfig): string | undefined {
  const [client] = resolve.alias.flatMap(({ replacement }) => CLIENT.exec(replacement)?.[1] ?? [])
  return installedVersion(client ?? root, 'vite')
}

/** Without the drive, the path begins after `/@fs`; with it, after `/@fs/`. */
const CLIENT = /^\/@fs(?:\/(?=[A-Za-z]:))?(.*\/vite\/dist\/client)\//

/** What `define` and Rolldown may insert into modules, in all environments. */
function replacementsIn({ define, environments }: ResolvedConfig): string[] {
  const all = Object.values(environments)
  const defined = [define, ...all.map((environment) => environment.define)]
  return [
    // Other values become literals.
    ...defined
      .flatMap((values) => Object.values(values ?? {}))
      .filter((value) => typeof value === 'string'),
    ...all.flatMap(({ build }) => {
      // Vite 7 builds with Rollup, and has none.
      const { rolldownOptions }: Partial<typeof build> = build
      return replacementsFrom(rolldownOptions?.transform)
    }),
  ]
}

/** Modules that take another import statement; components would need one in their script. */
const SCRIPT = /\.[cm]?[jt]sx?$/

/** The hook for Vitest, which no other tool calls. */
interface VitestHook {
  /**
   * Keeps modules of this package out of the cache on the disk. `vitest --watch` of Vitest 5 looks for
   * changes of files only, and would serve the lock of its start.
   */
  configureVitest(context: VitestContext): void
}

/** The part of Vitest's context that is used here: of Vitest 5, and of 4. */
interface VitestContext {
  readonly defineCacheKeyGenerator?: DefineGenerator
  readonly experimental_defineCacheKeyGenerator?: DefineGenerator
}

/** Sets a function that returns `false` for what is not cached. */
type DefineGenerator = (generate: (module: { readonly id: string }) => false | undefined) => void

/**
 * Hooks for Vitest.
 *
 * Makes modules that import prompts import the lock too, in Vitest only. `vitest --changed` and
 * `vitest related` follow imports from file to file, and a virtual module is not a file
 * (`getTestDependencies` in Vitest 4.1).
 */
export function vitestHooks({ ids, session }: Host): Pick<Plugin, 'transform'> & VitestHook {
  return {
    configureVitest(context) {
      const define = context.defineCacheKeyGenerator ?? context.experimental_defineCacheKeyGenerator
      define?.(({ id }) => (ids.parse(id) === undefined ? undefined : false))
    },

    transform: {
      filter: { code: ids.entry, id: SCRIPT },
      async handler(code, id) {
        const { plugins } = this.environment.config
        if (!plugins.some(isVitest)) return undefined
        // Vite 6 has no filters.
        if (!SCRIPT.test(id) || !code.includes(ids.entry)) return undefined
        const { lock } = (await session().project()).options
        return { code: `${code}\nimport ${JSON.stringify(toForwardSlashes(lock))}\n`, map: null }
      },
    },
  }
}

function isVitest({ name }: Plugin): boolean {
  return name === 'vitest' || name === 'vitest:project'
}
