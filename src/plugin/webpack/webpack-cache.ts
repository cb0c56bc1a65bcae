import type { Compiler, NormalModule } from 'webpack'
import type { Host } from '../host.ts'
import { idOfPath } from '../ids.ts'
import type { Snapshot } from '../snapshot.ts'

/**
 * Compares cached modules with the lock. webpack's disk cache compares only the modification time,
 * which can be the same after a checkout.
 */
export function checkCachedModules(
  { ids, session, load }: Pick<Host, 'ids' | 'session' | 'load'>,
  compiler: Compiler,
): void {
  const checked = new WeakMap<object, Snapshot>()
  const isStale = async (module: NormalModule): Promise<boolean> => {
    const id = idOfPath(module.resource)
    if (!ids.resolvedPattern.test(id)) return false
    const snapshot = await session().snapshot()
    if (checked.get(module) === snapshot) return false
    checked.set(module, snapshot)
    const code = await load(id, { addWatchFile: () => undefined })
    return module.originalSource()?.source().toString() !== code
  }
  compiler.hooks.compilation.tap(ids.plugin, (compilation) => {
    const { needBuild } = compiler.webpack.NormalModule.getCompilationHooks(compilation)
    needBuild.tapPromise(ids.plugin, isStale)
  })
}
