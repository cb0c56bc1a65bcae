import type { Rolldown } from 'vite'
import type { BuildContext } from '../context.ts'
import { assertSinglePlugin } from '../ids.ts'
import { createInstance, type PluginInstance } from '../instance.ts'
import type { HookPlugin, PluginFactory } from '../plugin-factory.ts'
import { buildPlugins } from './build-plugins.ts'
import { BROWSER_FORMATS, replacementsFrom, ROLLUP_CONTEXT } from './module-graph.ts'

/** The plugin for Rollup. */
export const rollupPlugin: PluginFactory<HookPlugin> = (options) =>
  createRollupPlugin(createInstance(options), {})

/**
 * The plugin for Rollup. Rollup has no platform, but a format may be for browsers.
 *
 * @param told - what is known of the builds before
 */
export function createRollupPlugin(
  instance: PluginInstance,
  told: Partial<BuildContext>,
): HookPlugin {
  const contextOf = ({ output }: InputOptions): Partial<BuildContext> => {
    const isClient = hasBrowserFormat(output)
    return { ...told, isClient: () => isClient }
  }
  return createPlugin(instance, contextOf, new WeakMap())
}

/**
 * The plugin for Rolldown, which also reports its root and platform. The platform is `browser` by
 * default, so only an explicit one counts as client code.
 */
export const rolldownPlugin: PluginFactory<HookPlugin> = (factoryOptions) =>
  createPlugin(createInstance(factoryOptions), ({ cwd, platform, transform, output }) => {
    const isClient = platform === 'browser' || hasBrowserFormat(output)
    return {
      ...(cwd === undefined ? {} : { root: cwd }),
      replacements: replacementsFrom(transform),
      isClient: () => isClient,
    }
  })

/** The command line and a watch pass the whole configuration to the hook. */
type InputOptions = Rolldown.InputOptions & { readonly output?: Output | readonly Output[] }

interface Output {
  readonly format?: string
}

/**
 * A plugin whose only hook puts those of one build in its place. Several builds may use it at once, and the `this` of
 * later hooks doesn't tell them apart: in Rolldown it is another one in each hook, in Rollup in those for the output.
 *
 * @param ofWatches - by the list of plugins. Rollup calls the hook before each build of a watch, with the same list.
 *   Default: none, as for Rolldown, which calls it once, with a list that several configurations may share
 */
function createPlugin(
  { ids, build }: PluginInstance,
  contextOf: (options: InputOptions) => Partial<BuildContext>,
  ofWatches?: WeakMap<object, HookPlugin[]>,
): HookPlugin {
  const plugin: HookPlugin & Pick<Rolldown.Plugin, 'options'> = {
    name: ids.plugin,
    async options(options) {
      const plugins = await flatten(options.plugins)
      assertSinglePlugin(ids, plugins)
      const { watchMode: watched } = this.meta
      const list = Object(options.plugins)
      const told = { ...ROLLUP_CONTEXT, watched, ...contextOf(options) }
      const known = watched ? ofWatches?.get(list) : undefined
      const ofBuild = known ?? buildPlugins(ids, build(told))
      ofWatches?.set(list, ofBuild)
      // A copy may have other fields.
      const isThis = (each: unknown): boolean => Object(each).options === plugin.options
      return { ...options, plugins: plugins.flatMap((each) => (isThis(each) ? ofBuild : each)) }
    },
  }
  return plugin
}

/** Plugins may be lists and promises of plugins. */
async function flatten(plugins: Rolldown.InputOptions['plugins']): Promise<Rolldown.Plugin[]> {
  const list = await Promise.all([plugins].flat())
  return list.some(Array.isArray) ? flatten(list.flat()) : (list as Rolldown.Plugin[])
}

function hasBrowserFormat(output: InputOptions['output']): boolean {
  return [output ?? []].flat().some(({ format }) => BROWSER_FORMATS.includes(format))
}
