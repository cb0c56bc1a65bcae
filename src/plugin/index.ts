import type { Host, WatchContext } from './host.ts'
import { idOfPath } from './ids.ts'

/**
 * The hooks that serve `virtual:prompts` in every bundler. A bundler's folder adds what only that one
 * needs: its configuration, when a build starts, what its watcher misses, and its output.
 */
export function createHooks({ ids, resolve, load }: Host): PromptsHooks {
  return {
    name: ids.plugin,
    enforce: 'pre',

    resolveId: {
      filter: { id: ids.importPattern },
      handler(id, importer) {
        return resolve(id, importer, this)
      },
    },

    load: {
      // A plugin that resolves to the specifier itself omits the prefix of a resolved id.
      filter: { id: ids.importPattern },
      async handler(id) {
        // In a folder with `#` in its name, Rspack passes its own form of the path.
        const module = idOfPath(id)
        // Rollup before 4.38 and Vite before 6.3 have no filters.
        return ids.importPattern.test(module) ? load(module, this) : undefined
      },
    },
  }
}

interface PromptsHooks {
  readonly name: string
  readonly enforce: 'pre'
  readonly resolveId: Hook<object, [id: string, importer?: string], string | undefined>
  readonly load: Hook<WatchContext, [id: string], string | undefined>
}

interface Hook<Context, Values extends unknown[], Result> {
  readonly filter: { readonly id: RegExp }
  handler(this: Context, ...values: Values): Promise<Result>
}
