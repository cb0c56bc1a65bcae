/**
 * The hooks in the loader's own thread, for Node without `module.registerHooks`. Node keeps this
 * module for them alone and hands over what they serve by `initialize`: the thread may be older
 * than this registration, so it inherits nothing.
 */
import { createLoaderHooks, type LoaderHooks, type Sources } from './hooks.ts'

const served: Record<string, string> = {}
const hooks: LoaderHooks = createLoaderHooks(served)

export function initialize(sources: Sources): void {
  Object.assign(served, sources)
}

export const resolve: LoaderHooks['resolve'] = hooks.resolve
export const load: LoaderHooks['load'] = hooks.load
