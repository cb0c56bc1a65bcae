import type { Environment, Rolldown } from 'vite'
import { createBuildWatch } from '../build-watch.ts'
import { createHooks, type Host } from '../host.ts'
import { assertSinglePlugin } from '../ids.ts'
import { createInstance } from '../instance.ts'
import { type EmittedFile, refuseExternal, refuseKey } from '../output.ts'
import type { HookPlugin, PluginFactory } from '../plugin-factory.ts'
import { createRollupHost } from './module-graph.ts'

/** The plugin for Rollup. */
export const rollupPlugin: PluginFactory<HookPlugin> = (options) =>
  createRollupPlugin(createRollupHost(createInstance(options)))

/**
 * The plugin for Rollup. It doesn't need unplugin, whose hooks are those of Rollup. Rollup has no platform, but
 * a format may be for browsers.
 */
export function createRollupPlugin(host: Host): HookPlugin {
  const options = ({ output }: OptionsWithOutput): void => {
    const isClient = hasBrowserFormat(output)
    host.setContext({ isClient: () => isClient })
  }
  const hooks = { options, ...createHooks(host), ...buildHooks(host) }
  return { ...hooks, ...outputHooks(host) }
}

/** The command line and a watch pass the whole configuration to the hook. */
interface OptionsWithOutput {
  readonly output?: Output | readonly Output[]
}

interface Output {
  readonly format?: string
}

/** Scripts of these formats run in a browser without a bundler. */
export const BROWSER_FORMATS: readonly (string | undefined)[] = ['iife', 'umd']

function hasBrowserFormat(output: OptionsWithOutput['output']): boolean {
  return [output ?? []].flat().some(({ format }) => BROWSER_FORMATS.includes(format))
}

/**
 * The plugin for Rolldown, which also reports its root and platform. The platform is `browser` by
 * default, so only an explicit one counts as client code.
 */
export const rolldownPlugin: PluginFactory<HookPlugin> = (factoryOptions) => {
  const host = createRollupHost(createInstance(factoryOptions))
  const options = ({
    cwd,
    platform,
    transform,
    output,
  }: Rolldown.InputOptions & OptionsWithOutput): void => {
    const isClient = platform === 'browser' || hasBrowserFormat(output)
    host.setContext({
      ...(cwd === undefined ? {} : { root: cwd }),
      replacements: replacementsFrom(transform),
      isClient: () => isClient,
    })
  }
  return Object.assign(createRollupPlugin(host), { options })
}

/** The hooks around a build of Rollup, Rolldown and Vite. */
export function buildHooks(
  host: Host,
): Pick<Rolldown.Plugin, 'buildStart' | 'buildEnd' | 'closeWatcher'> {
  const { ids, start, session, setContext } = host
  const watch = createBuildWatch(session)
  return {
    async buildStart({ plugins = [] }) {
      watch.stop()
      // In Vite, the plugins of a worker may have this one twice, so the configuration is checked instead.
      if (this.environment === undefined) assertSinglePlugin(ids, plugins)
      // In a server, Vite says the same of Vitest, which watches modules.
      if (this.environment?.mode !== 'dev') setContext({ watched: this.meta.watchMode })
      // A worker is a bundle of its own in the build of an app, which has read the lock.
      await (this.environment?.config.isWorker ? session().snapshot() : start(this))
    },
    buildEnd() {
      if (this.environment?.mode !== 'dev' && this.meta.watchMode) watch.start()
    },
    closeWatcher: watch.stop,
  }
}

/** The expressions that Rolldown may insert into modules. Injected imports are string literals. */
export function replacementsFrom({
  define = {},
  inject = {},
}: Rolldown.InputOptions['transform'] = {}): string[] {
  const imported = Object.values(inject).flat()
  return [...Object.values(define), ...imported.map((request) => JSON.stringify(request))]
}

/** Searches the output of Rollup, Rolldown and Vite for imports of these modules and the key, after all other plugins. */
export function outputHooks(
  host: Pick<Host, 'ids' | 'session'>,
): Pick<Rolldown.Plugin, 'generateBundle'> {
  return {
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const outputs = Object.values(bundle)
        const chunks = outputs.filter((emitted) => emitted.type === 'chunk')
        refuseExternal(
          host.ids,
          chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]),
        )
        const files = outputs.map((emitted): EmittedFile => ({
          file: emitted.fileName,
          read: () => ('code' in emitted ? emitted.code : emitted.source),
          onKey: isDevVars(emitted.fileName, this.environment)
            ? () => this.warn(DEV_VARS_WARNING)
            : undefined,
        }))
        await refuseKey(host, files)
      },
    },
  }
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
