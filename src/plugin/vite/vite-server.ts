import type { UnpluginOptions } from 'unplugin'
import type { ResolvedConfig } from 'vite'
import { toForwardSlashes } from '../../fs/paths.ts'
import type { Host } from '../host.ts'
import type { HostOf } from '../hooks.ts'
import type { WorkspaceIds } from '../ids.ts'
import type { HookPlugin } from '../plugin-factory.ts'
import type { Snapshot } from '../snapshot.ts'

type ViteHooks = Exclude<UnpluginOptions['vite'], undefined>
type ServerHooks = Pick<ViteHooks, 'configureServer' | 'watchChange' | 'hotUpdate' | 'closeBundle'>

/** Returns the host of a build or server, by its configuration. */
export type HostFor = (config: ResolvedConfig) => Promise<Host>

/** Updates a dev server when the lock changes, and restarts it when the options change. */
export function serverPlugin(ids: WorkspaceIds, hostOf: HostOf, hostFor: HostFor): HookPlugin {
  const environments = new WeakMap<object, ServedEnvironment>()
  const plugin: HookPlugin & ServerHooks = {
    name: `${ids.plugin}/server`,

    async configureServer(server) {
      const { showFailures, updateOnce, watchServerSources } = await import('./vite-dev.ts')
      const host = await hostFor(server.config)
      // A restarted server may reuse a plugin and its session.
      const { snapshot } = await host.session.reload(host.context.notify)
      showFailures(server, host)
      const update = updateOnce(host)
      server.watcher.add([...(await host.session.lockPaths())])
      await watchServerSources(server, host)
      for (const environment of Object.values(server.environments))
        environments.set(environment, { update, snapshot })
    },

    /** Runs before Vite looks at its modules, also with `hmr: false`. */
    async watchChange(file) {
      const state = environments.get(environmentOf(this))
      if (state !== undefined && (await isLock(await hostOf(this), file))) await state.update()
    },

    /** Runs for every environment. Each gets the changes since its last update. */
    async hotUpdate({ file, modules, timestamp }) {
      const state = environments.get(this.environment)
      const host = await hostOf(this)
      if (state === undefined || !(await isLock(host, file))) return undefined
      let { snapshot } = await host.loaded()
      // Vite 6.0 and 6.1 do not wait for `watchChange`.
      if (snapshot === state.snapshot) {
        await state.update()
        ;({ snapshot } = await host.loaded())
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

    /** Builds call it too. */
    async closeBundle() {
      ;(await hostOf(this)).close()
    },
  }
  return plugin
}

async function isLock({ session }: Host, file: string): Promise<boolean> {
  return (await session.lockPaths()).some((path) => toForwardSlashes(path) === file)
}

/** The state of one environment of a dev server. */
interface ServedEnvironment {
  /** Reads the changed lock. */
  readonly update: () => Promise<void>
  /** The snapshot of its modules. */
  snapshot: Snapshot
}

/** Vite adds the environment to `this` of every hook. */
function environmentOf(hook: object): object {
  return (hook as { readonly environment: object }).environment
}
