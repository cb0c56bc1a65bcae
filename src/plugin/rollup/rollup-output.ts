import { dirname, resolve } from 'node:path'
import { DEV_VARS_WARNING, type EmittingEnvironment, isDevVars } from '../vite/dev-vars.ts'
import type { Host } from '../host.ts'
import { type EmittedFile, inspectOutput } from '../output.ts'

/** The part of a Rollup, Rolldown or Vite bundle that is inspected. */
type Bundle = Readonly<
  Record<
    string,
    {
      readonly fileName: string
      readonly code?: string
      readonly source?: string | Uint8Array
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

interface OutputOptions {
  readonly dir?: string | undefined
  readonly file?: string | undefined
}

interface Emitter {
  /** Only in Vite. */
  readonly environment?: EmittingEnvironment
  warn(message: string): void
  emitFile(file: { type: 'asset'; fileName: string; source: string }): unknown
}

/** Inspects the output of Rollup, Rolldown and Vite, after all other plugins. */
export function rollupOutput(host: Pick<Host, 'ids' | 'session'>): OutputHooks {
  return {
    generateBundle: {
      order: 'post',
      async handler({ file = '', dir = dirname(file) }, bundle, isWrite) {
        const folder = isWrite ? resolve(dir) : undefined
        const manifest = await inspectOutput(host, { files: filesOf(bundle, this), folder })
        if (manifest === undefined) return
        this.emitFile({ type: 'asset', fileName: manifest.file, source: manifest.text })
      },
    },
  }
}

function filesOf(bundle: Bundle, context: Emitter): EmittedFile[] {
  return Object.values(bundle).map(({ fileName, code, source = '' }) => ({
    file: fileName,
    isScript: code !== undefined,
    read: () => code ?? source,
    onKey: isDevVars(fileName, context.environment)
      ? () => context.warn(DEV_VARS_WARNING)
      : undefined,
  }))
}
