import type { UnpluginOptions } from 'unplugin'
import type { Plugin, PluginOption, ResolvedConfig } from 'vite'
import { createNotify } from '../../features/start/start.ts'
import { createBuildWatch } from '../watch-sources.ts'
import { devtoolsDock } from './devtools-dock.ts'
import type { Host } from '../host.ts'
import { ownEnvDir } from './own-env-dir.ts'
import type { BuildContext } from '../build-context.ts'
import { replacementsFrom } from '../rollup/rollup.ts'
import { assertSinglePlugin } from '../single-plugin.ts'
import { watchClient } from './vite-client.ts'
import { viteServerHooks } from './vite-server.ts'

type ViteHooks = Exclude<UnpluginOptions['vite'], undefined>

/** What only Vite has: environments, a dev server, workers with plugins of their own. */
export function viteHooks(host: Host): ViteHooks {
  const { ids, start, setContext, guard, session } = host
  const client = watchClient(guard)
  const server = viteServerHooks(host)
  const watch = createBuildWatch(session)
  return {
    ...server,
    ...devtoolsDock(host),

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

    async buildStart() {
      watch.stop()
      client.startBuild(this)
      await start(this)
    },

    async buildEnd(error) {
      if (this.environment.mode === 'build' && this.meta.watchMode) watch.start()
      if (error === undefined) await client.checkBuild(this)
    },

    closeWatcher: watch.stop,
  }
}

function contextOf(config: ResolvedConfig): Partial<BuildContext> {
  const { root, envDir, envPrefix = [], mode, command, server, isProduction } = config
  return {
    root,
    envDir: ownEnvDir({ root, envDir }),
    mode,
    published: { setting: 'envPrefix', prefixes: [envPrefix].flat() },
    byUse: command === 'build',
    replacements: replacementsIn(config),
    watched: command === 'build' || server.hmr === false,
    production: command === 'build' && isProduction,
  }
}

/** What `define` and Rolldown may put into modules, of all environments together. */
function replacementsIn({ define, environments }: ResolvedConfig): string[] {
  const each = Object.values(environments)
  const defined = [define, ...each.map((environment) => environment.define)]
  return [
    ...defined.flatMap((values) => Object.values(values ?? {})).filter(isText),
    ...each.flatMap(({ build }) => replacementsFrom(build.rolldownOptions.transform)),
  ]
}

/** Other values become literals. */
function isText(value: unknown): value is string {
  return typeof value === 'string'
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
