import type { Environment, Rolldown } from 'vite'
import { touchBetweenBuilds } from '../build-watch.ts'
import { createHooks, type HostOf } from '../hooks.ts'
import type { WorkspaceIds } from '../ids.ts'
import { type EmittedFile, refuseExternal, refuseKey } from '../output.ts'
import type { HookPlugin } from '../plugin-factory.ts'
import type { RollupContext } from './module-graph.ts'

/** The plugins of builds of Rollup, Rolldown and Vite, with one job each. They don't need unplugin, whose hooks are those of Rollup. */
export function buildPlugins(ids: WorkspaceIds, hostOf: HostOf): HookPlugin[] {
  return [servePlugin(ids, hostOf), watchPlugin(ids, hostOf), outputPlugin(ids, hostOf)]
}

/** Serves the modules. */
function servePlugin(ids: WorkspaceIds, hostOf: HostOf): HookPlugin {
  const plugin: HookPlugin & Pick<Rolldown.Plugin, 'buildStart'> = {
    ...createHooks(ids, hostOf),
    async buildStart() {
      await (await hostOf(this)).start(this)
    },
  }
  return plugin
}

/** Looks between the builds of a watch for what the bundler's watcher misses. */
function watchPlugin({ plugin: name }: WorkspaceIds, hostOf: HostOf): HookPlugin {
  type Hooks = Pick<Rolldown.Plugin, 'buildStart' | 'buildEnd' | 'closeWatcher'>
  const plugin: HookPlugin & Hooks = {
    name: `${name}/watch`,
    async buildStart() {
      touchBetweenBuilds((await hostOf(this)).session).stop()
    },
    async buildEnd() {
      const { session, context } = await hostOf(this)
      if (!context.isServer && context.watched) touchBetweenBuilds(session).start()
    },
    async closeWatcher() {
      touchBetweenBuilds((await hostOf(this)).session).stop()
    },
  }
  return plugin
}

/** Searches the output for imports of the modules and for the key, after all other plugins. */
function outputPlugin(ids: WorkspaceIds, hostOf: HostOf): HookPlugin {
  const plugin: HookPlugin & Pick<Rolldown.Plugin, 'generateBundle'> & { enforce: 'post' } = {
    name: `${ids.plugin}/output`,
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const outputs = Object.values(bundle)
        const chunks = outputs.filter((emitted) => emitted.type === 'chunk')
        refuseExternal(
          ids,
          chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]),
        )
        const { environment } = this as RollupContext
        const files = outputs.map((emitted): EmittedFile => ({
          file: emitted.fileName,
          read: () => ('code' in emitted ? emitted.code : emitted.source),
          onKey: isDevVars(emitted.fileName, environment)
            ? () => this.warn(DEV_VARS_WARNING)
            : undefined,
        }))
        await refuseKey(await hostOf(this), files)
      },
    },
  }
  return plugin
}

/** The plugin of `@cloudflare/vite-plugin` that emits {@link DEV_VARS}. */
const CLOUDFLARE = 'vite-plugin-cloudflare:output-config'

/**
 * A copy of the app's `.env` files for `vite preview`, next to a Worker. It is neither deployed nor
 * public.
 */
const DEV_VARS = '.dev.vars'

const DEV_VARS_WARNING =
  `${DEV_VARS} contains the key of the prompt service: Cloudflare's plugin copies the .env files ` +
  'there for `vite preview`. Keep it out of what you publish, or build with ' +
  'CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV=false.'

function isDevVars(file: string, environment: Environment | undefined): boolean {
  if (file !== DEV_VARS || environment?.config.consumer !== 'server') return false
  return environment.config.plugins.some(({ name }) => name === CLOUDFLARE)
}
