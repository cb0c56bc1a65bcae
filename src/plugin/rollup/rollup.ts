import { dirname, resolve } from 'node:path'
import type { Environment, Rolldown } from 'vite'
import { createBuildWatch } from '../build-watch.ts'
import { type ClientGuard, importChain } from '../client-guard.ts'
import { createHooks, type Host } from '../host.ts'
import { assertSinglePlugin } from '../ids.ts'
import { createInstance } from '../instance.ts'
import { type EmittedFile, inspectOutput, refuseKey } from '../output.ts'
import type { HookPlugin, PluginFactory } from '../plugin-factory.ts'
import type { BuildContext } from '../session.ts'
import { createRollupHost, type RollupContext } from './module-graph.ts'

/** The plugin for Rollup. */
export const rollupPlugin: PluginFactory<HookPlugin> = (options) =>
  createRollupPlugin(createRollupHost(createInstance(options)))

/** The plugin for Rollup. It doesn't need unplugin, whose hooks are those of Rollup. */
export function createRollupPlugin(host: Host): HookPlugin {
  return { ...createHooks(host), ...buildHooks(host), ...outputHooks(host) }
}

/**
 * The plugin for Rolldown, which also reports its root and platform. The platform is `browser` by
 * default, so only an explicit one counts as client code.
 */
export const rolldownPlugin: PluginFactory<HookPlugin> = (factoryOptions) => {
  const host = createRollupHost(createInstance(factoryOptions))
  let isBrowser = false
  const client = watchClient(host.guard, () => isBrowser)
  const options = ({ cwd, platform, transform }: Rolldown.InputOptions): void => {
    isBrowser = platform === 'browser'
    host.setContext({
      ...(cwd === undefined ? {} : { root: cwd }),
      replacements: replacementsFrom(transform),
      clientChain: client.chain,
    })
  }
  const hooks = { ...createHooks(host), ...buildHooks(host, client), ...outputHooks(host) }
  return Object.assign(hooks, { options })
}

interface BuildHooks {
  buildStart(this: RollupContext, options: { readonly plugins?: readonly unknown[] }): Promise<void>
  buildEnd(this: RollupContext, error?: Error): Promise<void>
  closeWatcher(): void
}

/**
 * The hooks around a build of Rollup, Rolldown and Vite.
 *
 * @param client - what is known of client code. Default: nothing, as in Rollup, which has no platform.
 */
export function buildHooks({ ids, start, session }: Host, client?: BuildClient): BuildHooks {
  const watch = createBuildWatch(session)
  return {
    async buildStart({ plugins = [] }) {
      watch.stop()
      client?.startBuild(this)
      // Vite's workers share plugins with the app, so its configuration is checked instead.
      if (this.environment === undefined) assertSinglePlugin(ids, plugins)
      await start(this)
    },
    /** All importers of a module are known only now. */
    async buildEnd(error) {
      if (this.meta.watchMode && this.environment?.mode !== 'dev') watch.start()
      if (error === undefined) await client?.checkBuild(this)
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

/** Detects client code. In Vite, one build may have several environments. */
export interface BuildClient {
  /** The chain in a dev server. In a build it is known only at the end. */
  readonly chain: BuildContext['clientChain']
  /** Clears the imports of an earlier build. */
  startBuild(context: object): void
  /**
   * Checks the imports of a build.
   *
   * @throws PromptsError PROMPTS_IN_CLIENT
   */
  checkBuild(context: object): Promise<void>
}

/**
 * Collects the client imports of one plugin.
 *
 * @param isClient - whether a hook runs for client code
 */
export function watchClient(
  guard: ClientGuard,
  isClient: (context: RollupContext) => boolean = isViteClient,
): BuildClient {
  const built = new WeakMap<object, string[]>()
  const keyOf = (context: object): object => (context as RollupContext).environment ?? guard
  return {
    chain(importer, context) {
      const hook = context as RollupContext
      if (!isClient(hook)) return undefined
      if (hook.environment?.mode !== 'dev') {
        built.set(keyOf(hook), [...(built.get(keyOf(hook)) ?? []), importer])
        return undefined
      }
      const { moduleGraph } = hook.environment
      return importChain(importer, (id) => {
        const module = moduleGraph.getModuleById(id)
        return module && { importers: [...module.importers].flatMap((by) => by.id ?? []) }
      })
    },
    startBuild: (context) => void built.delete(keyOf(context)),
    async checkBuild(context) {
      const hook = context as RollupContext
      // One after the other: the first error is reported.
      for (const importer of built.get(keyOf(hook)) ?? [])
        await guard.check(importChain(importer, (id) => hook.getModuleInfo(id) ?? undefined))
    },
  }
}

/** Libraries and tests don't count as client code. */
function isViteClient({ environment }: RollupContext): boolean {
  const { consumer, build } = environment?.config ?? {}
  return consumer === 'client' && !build?.lib && process.env['VITEST'] === undefined
}

/** An output hook for Rollup, Rolldown and Vite. */
interface OutputHooks {
  readonly generateBundle: {
    readonly order: 'post'
    handler(
      this: RollupContext,
      options: Pick<Rolldown.OutputOptions, 'dir' | 'file'>,
      bundle: Rolldown.OutputBundle,
      isWrite: boolean,
    ): Promise<void>
  }
}

/**
 * Inspects the output of Rollup, Rolldown and Vite, after all other plugins. Vite bundles a worker before
 * the chunk that starts it, and emits the worker's chunks once more, as assets.
 */
export function outputHooks(host: Pick<Host, 'ids' | 'session'>): OutputHooks {
  /** The modules of the chunks of workers. */
  const workers = new Map<string, Iterable<string>>()
  return {
    generateBundle: {
      order: 'post',
      async handler({ file = '', dir = dirname(file) }, bundle, isWrite) {
        const files = Object.values(bundle).map((emitted): EmittedFile => ({
          file: emitted.fileName,
          // Rolldown creates the list of modules when it is read.
          modules: () => workers.get(emitted.fileName) ?? renderedModules(emitted),
          read: () => ('code' in emitted ? emitted.code : emitted.source),
          onKey: isDevVars(emitted.fileName, this.environment)
            ? () => this.warn(DEV_VARS_WARNING)
            : undefined,
        }))
        if (this.environment?.config.isWorker) {
          for (const emitted of files) workers.set(emitted.file, emitted.modules?.() ?? [])
          return refuseKey(host, files)
        }
        const folder = isWrite ? resolve(dir) : undefined
        const manifest = await inspectOutput(host, { files, folder })
        if (manifest === undefined) return
        this.emitFile({ type: 'asset', fileName: manifest.file, source: manifest.text })
      },
    },
  }
}

function renderedModules(emitted: Rolldown.OutputChunk | Rolldown.OutputAsset): string[] {
  const modules = 'modules' in emitted ? emitted.modules : {}
  return Object.keys(modules).filter((id) => modules[id]?.renderedLength !== 0)
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
