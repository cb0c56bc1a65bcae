import type { ModuleRequest } from '../../analysis/by-use/module-requests.ts'

/** `this` of the hooks of Rollup, Rolldown and Vite, as far as it is used here. */
export interface RollupContext {
  readonly meta: { readonly watchMode: boolean }
  /** Only in Vite. */
  readonly environment?: ViteEnvironment
  addWatchFile(path: string): void
  emitFile(file: { type: 'asset'; fileName: string; source: string }): unknown
  getModuleInfo(
    id: string,
  ): { readonly code?: string | null; readonly importers: readonly string[] } | null
  parse(code: string, options?: { lang: string }): object
  resolve(
    specifier: string,
    importer: string,
    options: { kind: ModuleRequest['kind']; skipSelf: false },
  ): Promise<{ readonly id: string } | null>
  warn(message: string): void
}

/** One of the environments of Vite. */
interface ViteEnvironment {
  readonly mode: string
  readonly config: {
    readonly build: { readonly lib: unknown }
    readonly consumer: string
    readonly isWorker: boolean
    readonly plugins: readonly { readonly name: string }[]
  }
  /** Only in a dev server. */
  readonly moduleGraph?: {
    getModuleById(
      id: string,
    ): { readonly importers: ReadonlySet<{ readonly id: string | null }> } | undefined
  }
}
