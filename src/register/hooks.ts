import { DEFAULT_WORKSPACE, virtualModuleId } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/prompts-error.ts'

/** The code of every generated module, by its specifier. */
export type Sources = Readonly<Record<string, string>>

/**
 * Hooks of Node's module loader. They return a result or that of the next hook, so they work in the
 * synchronous chain of `module.registerHooks` and in the asynchronous one of `module.register`.
 */
export interface LoaderHooks {
  readonly resolve: Hook<{ readonly conditions: readonly string[] }>
  readonly load: Hook<object>
}

type Hook<Context> = (
  what: string,
  context: Context,
  next: (what: string, context: Context) => unknown,
) => unknown

/**
 * Creates hooks that serve `virtual:prompts` and the modules of other workspaces. All other imports
 * are left to Node.
 */
export function createLoaderHooks(sources: Sources): LoaderHooks {
  return {
    resolve(specifier, context, next) {
      const [module = specifier] = specifier.split('/', 1)
      if (!Object.hasOwn(sources, module)) {
        // Other packages may have virtual modules too.
        if (module !== virtualModuleId(DEFAULT_WORKSPACE)) return next(specifier, context)
        const path = `${DEFAULT_WORKSPACE}.lock.json`
        throw new PromptsError('LOCK_MISSING', { path, workspace: DEFAULT_WORKSPACE })
      }
      if (!Object.hasOwn(sources, specifier)) {
        throw new PromptsError('MODULE_UNKNOWN', { id: specifier, module })
      }
      if (context.conditions.includes('require')) {
        throw new PromptsError('REQUIRE_REFUSED', { id: specifier })
      }
      return { url: specifier, format: 'module', shortCircuit: true }
    },
    load(url, context, next) {
      const source = Object.hasOwn(sources, url) ? sources[url] : undefined
      if (source === undefined) return next(url, context)
      return { format: 'module', source, shortCircuit: true }
    },
  }
}
