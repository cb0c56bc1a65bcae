import type { UnpluginOptions } from 'unplugin'
import { suggestModule } from '../errors/did-you-mean.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import type { Host, WatchContext } from './host.ts'
import { idOfPath, type WorkspaceIds } from './ids.ts'

/** Returns the host of the build that calls a hook, by its `this`. */
export type HostOf = (hook: object) => Promise<Host>

/**
 * The hooks that serve `virtual:prompts` in the bundlers with hooks of Rollup or unplugin. A bundler's
 * folder adds what only that one needs: its configuration, when a build starts, what its watcher
 * misses, and its output.
 */
export function createHooks(ids: WorkspaceIds, hostOf: HostOf): PromptsHooks {
  // A plugin that resolves to the specifier itself omits the prefix of a resolved id.
  const filter = { id: ids.importPattern }
  return {
    name: ids.plugin,
    enforce: 'pre',
    resolveId: {
      filter: { id: VIRTUAL },
      async handler(id, importer) {
        if (ids.importPattern.test(id)) return (await hostOf(this)).resolve(id, importer, this)
        if (suggestModule(id, ids.entry) === '') return undefined
        const rollup = this as unknown as RollupResolver
        const other = await rollup.resolve(id, importer, { skipSelf: true })
        if (other === null) throw new PromptsError('MODULE_UNKNOWN', { id, module: ids.entry })
        return undefined
      },
    },
    load: {
      filter,
      async handler(path) {
        // In a folder with `#` in its name, Rspack passes its own form of the path.
        const id = idOfPath(path)
        // Rollup before 4.38 and Vite before 6.3 have no filters.
        return ids.importPattern.test(id) ? loadModule(await hostOf(this), id, this) : undefined
      },
    },
  }
}

async function loadModule(
  host: Host,
  id: string,
  hook: WatchContext,
): Promise<string | { code: string; map: typeof NO_MAP }> {
  const code = await host.load(id, hook)
  return host.context.isServer ? { code, map: NO_MAP } : code
}

/**
 * Otherwise a dev server maps each module to itself and sends the map with it. With 1,000 prompts, that
 * takes a third of the processor time of the first load, and a fifth of that of an update.
 */
const NO_MAP = { mappings: '' } as const

/** Also matches specifiers that may be meant for this workspace: `virtual:prompt`. */
const VIRTUAL = /^\0?virtual:/

interface RollupResolver {
  resolve(id: string, importer: string | undefined, options: object): Promise<object | null>
}

type PromptsHooks = Required<Pick<UnpluginOptions, 'name' | 'enforce' | 'resolveId' | 'load'>>
