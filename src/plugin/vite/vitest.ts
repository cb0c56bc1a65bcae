import type { Plugin } from 'vite'
import { toForwardSlashes } from '../../fs/paths.ts'
import type { HostOf } from '../hooks.ts'
import type { WorkspaceIds } from '../ids.ts'
import type { HookPlugin } from '../plugin-factory.ts'

/** Modules that take another import statement; components would need one in their script. */
const SCRIPT = /\.[cm]?[jt]sx?$/

/** What Vite loads itself: a filter keeps Rolldown from asking about each module. */
const LOADED = /\.(?:[cm]?[jt]sx?|json|css|vue|svelte)(?:\?|$)/

/** The hook for Vitest, which no other tool calls. */
interface VitestHook {
  /**
   * Keeps modules of this package out of the cache on the disk. `vitest --watch` of Vitest 5 looks for
   * changes of files only, and would serve the lock of its start.
   */
  configureVitest(context: VitestContext): void
}

/** The part of Vitest's context that is used here: of Vitest 5, and of 4. */
interface VitestContext {
  readonly defineCacheKeyGenerator?: DefineGenerator
  readonly experimental_defineCacheKeyGenerator?: DefineGenerator
}

/** Sets a function that returns `false` for what is not cached. */
type DefineGenerator = (generate: (module: { readonly id: string }) => false | undefined) => void

/**
 * Makes modules that import prompts import the lock too, in Vitest only. `vitest --changed` and
 * `vitest related` follow imports from file to file, and a virtual module is not a file
 * (`getTestDependencies` in Vitest 4.1).
 */
export function vitestPlugin(ids: WorkspaceIds, hostOf: HostOf): HookPlugin {
  /** The locks that Vite can't load. */
  const locks = new Set<string>()
  const plugin: HookPlugin & Pick<Plugin, 'enforce' | 'load' | 'transform'> & VitestHook = {
    name: `${ids.plugin}/vitest`,
    enforce: 'pre',

    configureVitest(context) {
      const define = context.defineCacheKeyGenerator ?? context.experimental_defineCacheKeyGenerator
      define?.(({ id }) => (ids.parse(id) === undefined ? undefined : false))
    },

    load: {
      filter: { id: { exclude: LOADED } },
      handler: (id) => (locks.has(id) ? 'export {}' : undefined),
    },

    transform: {
      filter: { code: ids.entry, id: SCRIPT },
      async handler(code, id) {
        const { plugins } = this.environment.config
        if (!plugins.some(isVitest)) return undefined
        // Vite 6 has no filters.
        if (!SCRIPT.test(id) || !code.includes(ids.entry)) return undefined
        const { project } = await (await hostOf(this)).loaded()
        const lock = toForwardSlashes(project.options.lock)
        if (!lock.endsWith('.json')) locks.add(lock)
        return { code: `${code}\nimport ${JSON.stringify(lock)}\n`, map: null }
      },
    },
  }
  return plugin
}

function isVitest({ name }: Plugin): boolean {
  return name === 'vitest' || name === 'vitest:project'
}
