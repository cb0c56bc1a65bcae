import { dirname, resolve } from 'node:path'
import type { UnpluginOptions } from 'unplugin'
import { createBuildWatch } from '../build-watch.ts'
import { type ClientGuard, importChain } from '../client-guard.ts'
import type { Host } from '../host.ts'
import { assertSinglePlugin } from '../ids.ts'
import { createHooks } from '../index.ts'
import { type EmittedFile, inspectOutput, refuseKey } from '../output.ts'
import type { BuildContext } from '../session.ts'
import type { RollupContext } from './rollup-context.ts'

type BuildThis = Pick<RollupContext, 'meta' | 'environment' | 'addWatchFile' | 'getModuleInfo'>

interface BuildHooks {
  buildStart(this: BuildThis, options: { readonly plugins?: readonly unknown[] }): Promise<void>
  buildEnd(this: BuildThis, error?: Error): Promise<void>
  closeWatcher(): void
}

/** The hooks for Rollup. */
export function rollupHooks(host: Host): UnpluginOptions {
  return { ...createHooks(host), rollup: { ...buildHooks(host), ...rollupOutput(host) } }
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

/** The hooks for Rolldown. */
export function rolldownHooks(host: Host): UnpluginOptions {
  return { ...createHooks(host), rolldown: { ...optionHooks(host), ...rollupOutput(host) } }
}

/**
 * Rolldown also reports its root and platform. The platform is `browser` by default, so only an
 * explicit one counts as client code.
 */
function optionHooks(host: Host): Exclude<UnpluginOptions['rolldown'], undefined> {
  let isBrowser = false
  const client = watchClient(host.guard, () => isBrowser)
  return {
    ...buildHooks(host, client),
    options({ cwd, platform, transform }) {
      isBrowser = platform === 'browser'
      host.setContext({
        ...(cwd === undefined ? {} : { root: cwd }),
        replacements: replacementsFrom(transform),
        clientChain: client.chain,
      })
    },
  }
}

/** The part of Rolldown's options that replaces code after all plugins. */
interface Transform {
  readonly define?: Readonly<Record<string, string>>
  /** Modules imported for undeclared names. */
  readonly inject?: Readonly<Record<string, unknown>>
}

/** The expressions that Rolldown may insert into modules. Injected imports are string literals. */
export function replacementsFrom({ define = {}, inject = {} }: Transform = {}): string[] {
  const imported = Object.values(inject).flat()
  return [...Object.values(define), ...imported.map((request) => JSON.stringify(request))]
}

/** The part of the context that shows whose code a module is. */
type ClientContext = Pick<RollupContext, 'environment' | 'getModuleInfo'>

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
  isClient: (context: ClientContext) => boolean = isViteClient,
): BuildClient {
  const built = new WeakMap<object, string[]>()
  const keyOf = (context: object): object => (context as ClientContext).environment ?? guard
  return {
    chain(importer, context) {
      const hook = context as ClientContext
      if (!isClient(hook)) return undefined
      const graph = hook.environment?.moduleGraph
      if (graph === undefined) {
        built.set(keyOf(hook), [...(built.get(keyOf(hook)) ?? []), importer])
        return undefined
      }
      return importChain(importer, (id) => {
        const module = graph.getModuleById(id)
        return module && { importers: [...module.importers].flatMap((by) => by.id ?? []) }
      })
    },
    startBuild: (context) => void built.delete(keyOf(context)),
    async checkBuild(context) {
      const hook = context as ClientContext
      // One after the other: the first error is reported.
      for (const importer of built.get(keyOf(hook)) ?? [])
        await guard.check(importChain(importer, (id) => hook.getModuleInfo(id) ?? undefined))
    },
  }
}

/** Libraries and tests don't count as client code. */
function isViteClient({ environment }: ClientContext): boolean {
  const { consumer, build } = environment?.config ?? {}
  return consumer === 'client' && !build?.lib && process.env['VITEST'] === undefined
}

/** The part of a Rollup, Rolldown or Vite bundle that is inspected. */
type Bundle = Readonly<
  Record<
    string,
    {
      readonly fileName: string
      readonly code?: string
      readonly source?: string | Uint8Array
      /** The modules of a chunk, by id. */
      readonly modules?: Readonly<Record<string, { readonly renderedLength: number }>>
    }
  >
>

/** An output hook for Rollup, Rolldown and Vite. */
interface OutputHooks {
  readonly generateBundle: {
    readonly order: 'post'
    handler(this: Emitter, options: OutputOptions, bundle: Bundle, isWrite: boolean): Promise<void>
  }
}

type Emitter = Pick<RollupContext, 'environment' | 'warn' | 'emitFile'>

interface OutputOptions {
  readonly dir?: string | undefined
  readonly file?: string | undefined
}

/**
 * Inspects the output of Rollup, Rolldown and Vite, after all other plugins. Vite bundles a worker before
 * the chunk that starts it, and emits the worker's chunks once more, as assets.
 */
export function rollupOutput(host: Pick<Host, 'ids' | 'session'>): OutputHooks {
  const workers: Workers = new Map()
  return {
    generateBundle: {
      order: 'post',
      async handler({ file = '', dir = dirname(file) }, bundle, isWrite) {
        const files = filesOf(bundle, this, workers)
        if (this.environment?.config.isWorker) {
          for (const each of files) workers.set(each.file, each.modules?.() ?? [])
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

type Workers = Map<string, Iterable<string>>

function filesOf(bundle: Bundle, context: Emitter, workers: Workers): EmittedFile[] {
  return Object.values(bundle).map((emitted) => ({
    file: emitted.fileName,
    // Rolldown creates the list of modules when it is read.
    modules: () => workers.get(emitted.fileName) ?? renderedModules(emitted),
    read: () => emitted.code ?? emitted.source ?? '',
    onKey: isDevVars(emitted.fileName, context.environment)
      ? () => context.warn(DEV_VARS_WARNING)
      : undefined,
  }))
}

function renderedModules({ modules = {} }: Bundle[string]): string[] {
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

function isDevVars(file: string, environment: Emitter['environment']): boolean {
  if (file !== DEV_VARS || environment?.config.consumer !== 'server') return false
  return environment.config.plugins.some(({ name }) => name === CLOUDFLARE)
}
