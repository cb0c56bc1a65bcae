/**
 * The hooks for Node without `module.registerHooks`, which runs them in a separate thread. That
 * thread may be older than this registration, so Node passes the modules to `initialize`.
 */
import { createLoaderHooks, type LoaderHooks, type Sources } from './hooks.ts'

const modules: Record<string, string> = {}
const hooks: LoaderHooks = createLoaderHooks(modules)

export function initialize(sources: Sources): void {
  Object.assign(modules, sources)
}

export const resolve: LoaderHooks['resolve'] = hooks.resolve
export const load: LoaderHooks['load'] = hooks.load
