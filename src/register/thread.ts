/**
 * The hooks for Node without `module.registerHooks`, which runs them in a separate thread. That
 * thread may be older than this registration, so Node passes the modules to `initialize`.
 */
import { createLoaderHooks, type LoaderHooks, type Sources } from './hooks.ts'

const served: Record<string, string> = {}
const hooks: LoaderHooks = createLoaderHooks(served)

export function initialize(sources: Sources): void {
  Object.assign(served, sources)
}

export const resolve: LoaderHooks['resolve'] = hooks.resolve
export const load: LoaderHooks['load'] = hooks.load
