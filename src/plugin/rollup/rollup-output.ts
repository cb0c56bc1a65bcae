import { dirname, resolve } from 'node:path'
import type { Host } from '../host.ts'
import { type EmittedFile, inspectOutput, refuseKey } from '../output.ts'
import type { RollupContext } from './rollup-context.ts'

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
