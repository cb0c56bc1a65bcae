import type { UnpluginOptions } from 'unplugin'
import { toForwardSlashes } from '../../fs/paths.ts'
import type { Host } from '../host.ts'
import type { Snapshot } from '../snapshot.ts'

type ViteHooks = Exclude<UnpluginOptions['vite'], undefined>
type ServerHooks = Pick<ViteHooks, 'configureServer' | 'watchChange' | 'hotUpdate' | 'closeBundle'>

/** Hooks for Vite's dev server. Builds call `closeBundle` too. */
export function viteServerHooks(host: Host): ServerHooks {
  const { ids } = host
  const environments = new WeakMap<object, ServedEnvironment>()
  const isLock = async (file: string): Promise<boolean> =>
    (await host.session().lockPaths()).some((path) => toForwardSlashes(path) === file)
  return {
    async configureServer(server) {
      const { addPromptsPage } = await import('./prompts-page.ts')
      const { watchServerSources, watchLock } = await import('./vite-dev.ts')
      const stop = new AbortController()
      const session = host.session()
      // A restarted server may reuse a plugin and its session.
      const snapshot = await session.refresh()
      const page = await addPromptsPage(server, host, stop.signal)
      const update = watchLock(server, session, { page, signal: stop.signal })
      server.watcher.add([...(await session.lockPaths())])
      await watchServerSources(server, session, stop.signal)
      for (const environment of Object.values(server.environments))
        environments.set(environment, { update, stop, snapshot })
    },

    /** Runs before Vite looks at its modules, also with `hmr: false`. */
    async watchChange(file) {
      const state = environments.get(environmentOf(this))
      if (state !== undefined && (await isLock(file))) await state.update()
    },

    /** Runs for every environment. Each gets the changes since its last update. */
    async hotUpdate({ file, modules, timestamp }) {
      const state = environments.get(this.environment)
      if (state === undefined || !(await isLock(file))) return undefined
      let snapshot = await host.session().snapshot()
      // Vite 6.0 and 6.1 do not wait for `watchChange`.
      if (snapshot === state.snapshot) {
        await state.update()
        snapshot = await host.session().snapshot()
      }
      // Set only now: the second of two events for one change finds nothing new.
      const old = state.snapshot
      state.snapshot = snapshot
      const { moduleGraph } = this.environment
      const changed = [...moduleGraph.idToModuleMap].flatMap(([id, module]) => {
        const name = ids.parse(id)
        return name !== undefined && snapshot.differs(name, old) ? [module] : []
      })
      // Vite does the same, unless another plugin removes modules from the update. On the server,
      // Astro's plugin removes those that the client has.
      const seen = new Set<(typeof changed)[number]>()
      for (const module of changed) moduleGraph.invalidateModule(module, seen, timestamp, true)
      return [...modules, ...changed]
    },

    closeBundle() {
      environments.get(environmentOf(this))?.stop.abort()
    },
  }
}

/**
 * The state of one environment of a dev server. One plugin may have several servers, such as those
 * before and after a restart.
 */
interface ServedEnvironment {
  /** Reads the changed lock. */
  readonly update: () => Promise<void>
  /** Stops everything that watches for the server. */
  readonly stop: AbortController
  /** The snapshot of its modules. */
  snapshot: Snapshot
}

/** Vite adds the environment to `this` of every hook. */
function environmentOf(context: object): object {
  return (context as { readonly environment: object }).environment
}
