import type { PluginOptions } from '../../config/options.ts'

/** The part of Nuxt that is used here. Nothing is imported from Nuxt. */
export interface Nuxt {
  readonly options: {
    /** Absolute. */
    readonly rootDir: string
    readonly dev: boolean
    readonly app: { readonly baseURL: string; readonly buildAssetsDir: string }
    readonly vite: object
  }
  hook(name: string, run: (...given: never[]) => unknown): unknown
}

/** A module of Nuxt. */
export interface NuxtModule {
  (options: PluginOptions, nuxt: Nuxt): Promise<void>
  getMeta(): Promise<{ readonly name: string; readonly configKey: string }>
}

/** The references of the hooks `prepare:types` and `nitro:prepare:types`. */
export interface TypeReferences {
  references?: Reference[]
  nodeReferences?: Reference[]
  sharedReferences?: Reference[]
}

interface Reference {
  readonly path: string
}

/** The configuration of the hook `nitro:config`. */
export interface NitroConfig {
  rollupConfig?: { plugins?: unknown }
}

/** The tabs of the hook `devtools:customTabs`. */
export type DevtoolsTabs = {
  readonly name: string
  readonly title: string
  readonly icon: string
  readonly view: { readonly type: 'iframe'; readonly src: string }
}[]
