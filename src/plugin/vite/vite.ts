import type { UnpluginOptions } from 'unplugin'
import type { LibraryOptions, ResolvedConfig } from 'vite'
import { createNotify } from '../../features/start/notify.ts'
import {
  installedVersion,
  unsupportedVite,
  viteError,
  vitestError,
} from '../../fs/installed-version.ts'
import type { BuildContext } from '../context.ts'
import type { HostOf } from '../hooks.ts'
import { assertSinglePlugin, GROUPS } from '../ids.ts'
import { type Build, createInstance, type PluginInstance } from '../instance.ts'
import type { HookPlugin, PluginFactory } from '../plugin-factory.ts'
import { buildPlugins } from '../rollup/build-plugins.ts'
import {
  BROWSER_FORMATS,
  replacementsFrom,
  ROLLUP_CONTEXT,
  type RollupContext,
} from '../rollup/module-graph.ts'
import { type HostFor, serverPlugin } from './vite-server.ts'
import { vitestPlugin } from './vitest.ts'

type ViteHooks = Exclude<UnpluginOptions['vite'], undefined>

/** The plugins for Vite. */
export const vitePlugin: PluginFactory<HookPlugin[]> = (options) =>
  createVitePlugins(createInstance(options))

/** The plugins for Vite, whose options a framework may have read before. They have one job each. */
export function createVitePlugins(instance: PluginInstance): HookPlugin[] {
  const { ids } = instance
  // A configuration is resolved for each build and server, also if they share their plugins, and for each worker.
  const builds = new WeakMap<ResolvedConfig, Build>()
  const buildFor = (config: ResolvedConfig): Build => {
    const notify = createNotify(ids.plugin, (level, text) => config.logger[level](text))
    const build = builds.get(config) ?? instance.build({ ...contextOf(config), notify })
    builds.set(config, build)
    return build
  }
  const hostFor: HostFor = (config) => buildFor(config)()
  const hostOf: HostOf = (hook) => {
    const { environment } = hook as Required<RollupContext>
    return hostFor(environment.getTopLevelConfig())
  }
  const config: HookPlugin & Pick<ViteHooks, 'config' | 'configResolved'> = {
    name: `${ids.plugin}/config`,
    // Vite bundles each worker with plugins of its own.
    config: () => ({ worker: { plugins: () => plugins } }),
    configResolved(resolved) {
      buildFor(resolved)
      // The plugins of workers may have this one too, as Vite's documents ask for: the first one serves.
      if (!resolved.isWorker) assertSinglePlugin(ids, resolved.plugins)
    },
  }
  const page: HookPlugin & Pick<ViteHooks, 'configureServer'> = {
    name: `${ids.plugin}/page`,
    async configureServer(server) {
      const { addPromptsPage } = await import('./prompts-page.ts')
      await addPromptsPage(server, await hostFor(server.config))
    },
  }
  const plugins: HookPlugin[] = [
    config,
    ...buildPlugins(ids, hostOf),
    serverPlugin(ids, hostOf, hostFor),
    page,
    vitestPlugin(ids, hostOf),
  ]
  return plugins
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
 * What Vite's configuration reports about a build.
 *
 * @throws PromptsError BUNDLER_UNSUPPORTED in Vite 5 and older
 */
export function contextOf(config: ResolvedConfig): Partial<BuildContext> {
  assertSupported(config)
  const { root, envDir, envPrefix = [], mode, command, server, isProduction } = config
  const isServer = command === 'serve'
  return {
    ...ROLLUP_CONTEXT,
    root,
    // Vite's default is the root.
    envDir: envDir === false || envDir === root ? undefined : envDir,
    mode,
    published: { setting: 'envPrefix', prefixes: [envPrefix].flat() },
    isServer,
    isPart: config.isWorker,
    groups: isServer ? GROUPS : Infinity,
    replacements: replacementsIn(config),
    watched: isServer ? server.hmr === false || isBundled(config) : Boolean(config.build?.watch),
    production: !isServer && isProduction,
    isClient,
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
