import { createBuildWatch } from '../watch-sources.ts'
import type { Host } from '../host.ts'

/** The part of the API that webpack and Rspack share. */
export interface WatchingCompiler {
  readonly watchMode: boolean
  readonly hooks: {
    readonly watchRun: Hook
    readonly done: Hook
    readonly failed: Hook
    readonly watchClose: Hook
  }
}

interface Hook {
  tap(name: string, callback: () => void): void
}

/** Rebuilds in a watch when the lock or the configuration has changed. */
export function rebuildOnChange(
  { ids: { plugin }, session }: Pick<Host, 'ids' | 'session'>,
  compiler: WatchingCompiler,
): void {
  const { watchRun, done, failed, watchClose } = compiler.hooks
  const { start, stop } = createBuildWatch(session)
  const built = (): void => {
    if (compiler.watchMode) start()
  }
  watchRun.tap(plugin, stop)
  done.tap(plugin, built)
  failed.tap(plugin, built)
  watchClose.tap(plugin, stop)
}
