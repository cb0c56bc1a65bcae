import type { UnpluginOptions } from 'unplugin'
import type { Plugin, PluginOption } from 'vite'
import { createNotify } from '../../features/start/start.ts'
import { buildHooks } from '../rollup/rollup.ts'
import { watchClient } from '../rollup/rollup-client.ts'
import { devtoolsDock } from './devtools-dock.ts'
import { createHost, type Host } from '../host.ts'
import { createHooks } from '../index.ts'
import { createInstance, type PluginInstance } from '../instance.ts'
import type { HookPlugin, PluginFactory } from '../plugin-factory.ts'
import { rollupOutput } from '../rollup/rollup-output.ts'
import { contextOf } from './vite-config.ts'
import { assertSinglePlugin } from '../ids.ts'
import { vitestHooks } from './vitest.ts'
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
  const host = createHost(instance)
  return { ...createHooks(host), ...viteHooks(host), ...rollupOutput(host) }
}

/** Hooks for Vite only: environments, a dev server, workers with their own plugins. */
export function viteHooks(host: Host): ViteHooks {
  const { ids, setContext, guard } = host
  const client = watchClient(guard)
  const server = viteServerHooks(host)
  return {
    ...server,
    ...buildHooks(host, client),
    ...devtoolsDock(host),
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

    config: ({ plugins, worker }) => ({
      worker: withPlugin(worker, findByApi(plugins, server.api)),
    }),

    configResolved(config) {
      assertSinglePlugin(ids, config.plugins)
      setContext({
        ...contextOf(config),
        clientChain: client.chain,
        notify: createNotify(ids.plugin, (level, text) => config.logger[level](text)),
      })
    },
  }
}

/**
 * Otherwise a dev server maps each module to itself and sends the map with it. With 1,000 prompts, that
 * takes a third of the processor time of the first load, and a fifth of that of an update.
 */
const NO_MAP = { mappings: '' } as const

type UserConfig = Parameters<Extract<ViteHooks['config'], Function>>[0]

function findByApi(plugins: UserConfig['plugins'], api: object): Plugin | undefined {
  const flat = (plugins ?? []).flat(Infinity as 1) as unknown[]
  return flat.find((plugin): plugin is Plugin => (plugin as Plugin | undefined)?.api === api)
}

/** Vite bundles workers with a separate list of plugins, which needs this one too. */
function withPlugin(
  worker: UserConfig['worker'],
  plugin: Plugin | undefined,
): { plugins: () => PluginOption[] } {
  const own = worker?.plugins
  return { plugins: () => [...(own?.() ?? []), plugin] }
}
