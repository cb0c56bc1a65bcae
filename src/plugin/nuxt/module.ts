import type { PluginOptions } from '../../config/options.ts'
import { DEFAULT_WORKSPACE, formatCommand, PACKAGE_NAME } from '../../core/workspace-name.ts'
import { createInstance } from '../instance.ts'
import { formatAddress } from '../page-address.ts'
import type { HookPlugin } from '../plugin-factory.ts'
import { createRollupPlugin } from '../rollup/rollup.ts'
import { createVitePlugins } from '../vite/vite.ts'

const CONFIG_KEY = 'prompts'

/**
 * The module for Nuxt: `modules: ['unplugin-prompts/nuxt']`, with the options of the plugin under
 * `prompts`, which are for the instance that they name. It serves `virtual:prompts` in the app and in `server/`.
 *
 * @throws PromptsError OPTIONS_INVALID, CONFIG_UNREADABLE, KEY_PUBLISHED
 */
export const promptsModule: NuxtModule = Object.assign(
  async (inline: PluginOptions, nuxt: Nuxt): Promise<void> => {
    const configured = (nuxt.options as { readonly [CONFIG_KEY]?: PluginOptions })[CONFIG_KEY]
    const { name: own = DEFAULT_WORKSPACE } = configured ?? {}
    // Those of another instance name its files.
    const shared = (inline.name ?? own) === own ? configured : {}
    const instance = createInstance({ ...shared, ...inline })
    const { rootDir, dev } = nuxt.options
    const { dts, page, name } = (await instance.openProject(rootDir)).options
    addPlugins(nuxt.options.vite, createVitePlugins(instance))
    nuxt.hook('nitro:config', (config: NitroConfig) => {
      // Nitro builds `server/` with Rollup, which doesn't know the folder of the app.
      addPlugins((config.rollupConfig ??= {}), [createRollupPlugin(instance, { root: rootDir })])
    })
    if (dts !== false) addTypes(nuxt, dts)
    if (dev && page) namePage(nuxt, name)
  },
  { getMeta: () => Promise.resolve({ name: `${PACKAGE_NAME}/nuxt`, configKey: CONFIG_KEY }) },
)

/** Adds to the plugins of a bundler, which may be one, a list or nothing. */
function addPlugins(config: { plugins?: unknown }, plugins: readonly HookPlugin[]): void {
  config.plugins = [...[config.plugins ?? []].flat(), ...plugins]
}

/** The app, `nuxt.config.ts`, `shared/` and `server/` have a TypeScript project each. */
function addTypes(nuxt: Nuxt, path: string): void {
  nuxt.hook('prepare:types', (types: TypeReferences) => {
    for (const name of ['references', 'nodeReferences', 'sharedReferences'] as const)
      (types[name] ??= []).push({ path })
  })
  nuxt.hook('nitro:prepare:types', (types: TypeReferences) => {
    ;(types.references ??= []).push({ path })
  })
}

/** Names the command of the page when Nuxt listens. */
function namePage(nuxt: Nuxt, workspace: string): void {
  nuxt.hook('listen', () =>
    console.log(formatAddress('Prompts', `npx ${formatCommand(workspace, 'ui')}`)),
  )
}

/** The part of Nuxt that is used here. Nothing is imported from Nuxt. */
export interface Nuxt {
  readonly options: {
    /** Absolute. */
    readonly rootDir: string
    readonly dev: boolean
    readonly vite: object
  }
  hook(name: string, run: (...values: never[]) => unknown): unknown
}

/** A module of Nuxt. */
export interface NuxtModule {
  (options: PluginOptions, nuxt: Nuxt): Promise<void>
  getMeta(): Promise<{ readonly name: string; readonly configKey: string }>
}

/** The references of the hooks `prepare:types` and `nitro:prepare:types`. */
type TypeReferences = Partial<
  Record<'references' | 'nodeReferences' | 'sharedReferences', { readonly path: string }[]>
>

/** The configuration of the hook `nitro:config`. */
interface NitroConfig {
  rollupConfig?: { plugins?: unknown }
}
