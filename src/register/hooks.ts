import { DEFAULT_WORKSPACE, virtualModuleId } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/prompts-error.ts'

/** The code of every module of this package by its address, which is also what apps import. */
export type Sources = Readonly<Record<string, string>>

/**
 * Hooks of Node's module loader. They answer at once or pass on what the next hook gives, so the
 * same two serve the synchronous chain of `module.registerHooks` and the asynchronous one of
 * `module.register`.
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

/** Serves modules to imports of `virtual:prompts` and the like, and leaves all else to Node. */
export function createLoaderHooks(sources: Sources): LoaderHooks {
  return {
    resolve(specifier, context, next) {
      const module = entryOf(specifier)
      if (!isOwnModule(module, sources)) return next(specifier, context)
      if (!Object.hasOwn(sources, module)) throw lockMissingError()
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

/** What apps import; the address of every other module of a workspace begins so. */
function entryOf(id: string): string {
  return id.split('/', 1)[0] ?? id
}

/** Other hooks may have virtual modules as well. */
function isOwnModule(entry: string, sources: Sources): boolean {
  return Object.hasOwn(sources, entry) || entry === virtualModuleId(DEFAULT_WORKSPACE)
}

/** Only other workspaces were found where the app runs. */
function lockMissingError(): PromptsError {
  const path = `${DEFAULT_WORKSPACE}.lock.json`
  return new PromptsError('LOCK_MISSING', { path, workspace: DEFAULT_WORKSPACE })
}
