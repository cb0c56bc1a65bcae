import { DEFAULT_WORKSPACE, virtualModuleId } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/prompts-error.ts'

/** The code of every generated module, by its specifier. */
export type Sources = Readonly<Record<string, string>>

/**
 * Hooks of Node's module loader. They return a result or that of the next hook, so they work in the
 * synchronous chain of `module.registerHooks` and in the asynchronous one of `module.register`.
 */
export interface LoaderHooks {
  readonly resolve: Hook
  readonly load: Hook
}

type Hook = (
  what: string,
  context: object,
  next: (what: string, context: object) => unknown,
) => unknown

/** Creates hooks that serve `virtual:prompts` and the modules of other workspaces to `import`. */
export function createLoaderHooks(sources: Sources): LoaderHooks {
  return {
    resolve(specifier, context, next) {
      if (!isServed(specifier, sources)) return next(specifier, context)
      return { url: specifier, format: 'module', shortCircuit: true }
    },
    load(url, context, next) {
      const source = Object.hasOwn(sources, url) ? sources[url] : undefined
      if (source === undefined) return next(url, context)
      return { format: 'module', source, shortCircuit: true }
    },
  }
}

/**
 * Whether a module is among the sources. All others are left to Node.
 *
 * @throws PromptsError MODULE_UNKNOWN, LOCK_MISSING
 */
export function isServed(specifier: string, sources: Sources): boolean {
  if (Object.hasOwn(sources, specifier)) return true
  const [module = specifier] = specifier.split('/', 1)
  if (Object.hasOwn(sources, module))
    throw new PromptsError('MODULE_UNKNOWN', { id: specifier, module })
  // Other packages may have virtual modules too.
  if (module !== virtualModuleId(DEFAULT_WORKSPACE)) return false
  const path = `${DEFAULT_WORKSPACE}.lock.json`
  throw new PromptsError('LOCK_MISSING', { path, workspace: DEFAULT_WORKSPACE })
}
