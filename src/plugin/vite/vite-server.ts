import type { UnpluginOptions } from 'unplugin'
import type { Plugin } from 'vite'
import { toForwardSlashes } from '../../fs/paths.ts'
import { lockPaths } from '../watch-sources.ts'
import type { Host } from '../host.ts'
import { isOwnPlugin } from '../ids.ts'
import type { Snapshot } from '../modules.ts'
import type { Session } from '../session.ts'
import type { LockWatch } from './vite-dev.ts'

type ViteHooks = Exclude<UnpluginOptions['vite'], undefined>
type ServerHooks = Pick<
  ViteHooks,
  'api' | 'configureServer' | 'watchChange' | 'hotUpdate' | 'closeBundle'
>

/** What is done in dev servers of Vite. A build, too, calls the last of these hooks. */
export function viteServerHooks(host: Host): ServerHooks & { readonly api: PluginApi } {
  const { ids, session } = host
  const served = new WeakMap<object, ServedEnvironment>()
  /** The locks of which a server has said what is waiting: frameworks have several servers. */
  const announced = new Set<string>()
  const isLock = async (file: string): Promise<boolean> =>
    (await lockPaths(session)).some((path) => toForwardSlashes(path) === file)
  return {
    api: { session },

    async configureServer(server) {
      const { addPromptsPage } = await import('./prompts-page.ts')
      const { announceUpdates, watchServerSources, watchLock } = await import('./vite-dev.ts')
      const { bindPull } = await import('./vite-pull.ts')
      const stop = new AbortController()
      // A server that starts again may have a plugin, and so a session, that was used before.
      const shown = await session.refresh()
      await addPromptsPage(server, host, stop.signal)
      const watch = watchLock(server, session, stop.signal)
      server.watcher.add([...(await lockPaths(session))])
      await watchServerSources(server, session, stop.signal)
      for (const environment of Object.values(server.environments))
        served.set(environment, { watch, stop, shown })
      // Tests have keys of their own, and nobody who waits for news.
      if (process.env['VITEST'] !== undefined) return
      bindPull(server, server.config.plugins.flatMap(sessionOf), stop.signal)
      const { path } = (await session.project()).lock
      if (announced.has(path)) return
      announced.add(path)
      void announceUpdates(server, session, stop.signal)
    },

    /** Runs before Vite looks at its modules, and also where it updates none (`hmr: false`). */
    async watchChange(file) {
      const own = served.get(environmentOf(this))
      if (own !== undefined && (await isLock(file))) await own.watch.update()
    },

    /** Runs for every environment: each learns what has changed since it was told last. */
    async hotUpdate({ file, modules, timestamp }) {
      const own = served.get(this.environment)
      if (own === undefined || !(await isLock(file))) return undefined
      const snapshot = await session.snapshot()
      // Not before: of two events of one change, the second finds nothing new.
      const old = own.shown
      own.shown = snapshot
      const { moduleGraph } = this.environment
      const changed = [...moduleGraph.idToModuleMap].flatMap(([id, module]) => {
        const name = ids.parse(id)
        return name !== undefined && snapshot.differs(name, old) ? [module] : []
      })
      // Vite does so too, unless another plugin takes the modules out of the update: Astro's does
      // that on the server with those that the client has.
      const seen = new Set<(typeof changed)[number]>()
      for (const module of changed) moduleGraph.invalidateModule(module, seen, timestamp, true)
      return [...modules, ...changed]
    },

    closeBundle() {
      served.get(environmentOf(this))?.stop.abort()
    },
  }
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

/** Vite's own part of `this`, which the hooks of Rollup have too. */
function environmentOf(context: object): object {
  return (context as { readonly environment: object }).environment
}

/** What a plugin of this package tells the others of a dev server. */
interface PluginApi {
  readonly session: Session
}

function sessionOf(plugin: Plugin): Session[] {
  return isOwnPlugin(plugin) ? [(plugin.api as PluginApi).session] : []
}
