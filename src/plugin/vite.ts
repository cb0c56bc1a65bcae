import type { UnpluginOptions } from 'unplugin'
import type { Plugin, PluginOption, ResolvedConfig } from 'vite'
import { forwardSlashes } from '../io/forward-slashes.ts'
import { devtoolsDock } from './devtools-dock.ts'
import type { Host } from './host.ts'
import { isOurs } from './ids.ts'
import type { Snapshot } from './modules.ts'
import type { Session, Surroundings } from './session.ts'
import { refuseTwin } from './twins.ts'
import { watchClient } from './vite-client.ts'
import type { LockWatch } from './vite-dev.ts'

type ViteHooks = Exclude<UnpluginOptions['vite'], undefined>

/** What only Vite has: environments, a dev server, workers with plugins of their own. */
export function viteHooks(host: Host): ViteHooks {
  const { ids, session, surround, guard } = host
  const client = watchClient(guard)
  const served = new WeakMap<object, ServedEnvironment>()
  const api: PluginApi = { session }
  const isLock = async (file: string): Promise<boolean> =>
    file === forwardSlashes((await session.project()).lock.path)
  return {
    api,

    config: ({ plugins, worker }) => ({ worker: withPlugin(worker, findByApi(plugins, api)) }),

    configResolved(config) {
      refuseTwin(ids, config.plugins)
      surround({
        ...surroundingsOf(config),
        clientChain: client.chain,
        notify: (level, message) => config.logger[level](`[${ids.plugin}] ${message}`),
      })
    },

    ...devtoolsDock(ids),

    async configureServer(server) {
      const { addPromptsPage } = await import('./prompts-page.ts')
      const { announceUpdates, bindPull, watchLock } = await import('./vite-dev.ts')
      const stop = new AbortController()
      addPromptsPage(server, host, stop.signal)
      server.watcher.add((await session.project()).lock.path)
      const watch = watchLock(server, session, stop.signal)
      const shown = await session.snapshot()
      for (const environment of Object.values(server.environments))
        served.set(environment, { watch, stop, shown })
      // Tests have keys of their own, and nobody who waits for news.
      if (process.env['VITEST'] !== undefined) return
      bindPull(server, server.config.plugins.flatMap(sessionOf))
      void announceUpdates(server, session, stop.signal)
    },

    /** Runs before Vite looks at its modules, and also where it updates none (`hmr: false`). */
    async watchChange(file) {
      const own = served.get((this as unknown as InEnvironment).environment)
      if (own !== undefined && (await isLock(file))) await own.watch.settle()
    },

    /** Runs for every environment: each learns what has changed since it was told last. */
    async hotUpdate({ file, modules }) {
      const own = served.get(this.environment)
      if (own === undefined || !(await isLock(file))) return undefined
      const old = own.shown
      const snapshot = await session.snapshot()
      own.shown = snapshot
      const changed = [...this.environment.moduleGraph.idToModuleMap].filter(([id]) => {
        const name = ids.parse(id)
        return name !== undefined && snapshot.differs(name, old)
      })
      return [...modules, ...changed.map(([, module]) => module)]
    },

    async buildEnd(error) {
      served.get((this as unknown as InEnvironment).environment)?.stop.abort()
      if (error === undefined) await client.checkBuild(this)
    },
  }
}

function surroundingsOf(config: ResolvedConfig): Partial<Surroundings> {
  const { root, envDir, envPrefix = [], mode, command, server, isProduction } = config
  return {
    root,
    envDir: envDir === false ? undefined : envDir,
    mode,
    published: { setting: 'envPrefix', prefixes: [envPrefix].flat() },
    byUse: command === 'build',
    watched: command === 'build' || server.hmr === false,
    production: command === 'build' && isProduction,
  }
}

/** Vite's own part of `this` of every hook. */
interface InEnvironment {
  readonly environment: object
}

/**
 * What is kept of an environment of a dev server. One plugin may have several servers, such as the
 * one before a restart and the one after it.
 */
interface ServedEnvironment {
  readonly watch: LockWatch
  /** Ends all that follows the server. */
  readonly stop: AbortController
  /** What its modules are of. */
  shown: Snapshot
}

/** What a plugin of this package tells the others of a dev server. */
interface PluginApi {
  readonly session: Session
}

function sessionOf(plugin: Plugin): Session[] {
  return isOurs(plugin) ? [(plugin.api as PluginApi).session] : []
}

type UserConfig = Parameters<Extract<ViteHooks['config'], Function>>[0]

function findByApi(plugins: UserConfig['plugins'], api: object): Plugin | undefined {
  const flat = (plugins ?? []).flat(Infinity as 1) as unknown[]
  return flat.find((plugin): plugin is Plugin => (plugin as Plugin | undefined)?.api === api)
}

/** Vite bundles workers with plugins of their own: this one is needed there too. */
function withPlugin(
  worker: UserConfig['worker'],
  plugin: Plugin | undefined,
): { plugins: () => PluginOption[] } {
  const own = worker?.plugins
  return { plugins: () => [...(own?.() ?? []), plugin] }
}
