import { sep } from 'node:path'
import type { UnpluginOptions } from 'unplugin'
import { publicId } from './ids.ts'
import type { Snapshot } from './modules.ts'
import type { Session, Surroundings } from './session.ts'

type ViteHooks = Exclude<UnpluginOptions['vite'], undefined>

/** What only Vite has: its configuration, its logger, and hot updates when the lock changes. */
export function viteHooks(
  session: Session,
  surround: (known: Partial<Surroundings>) => void,
): ViteHooks {
  const shown = new WeakMap<object, Snapshot>()
  return {
    configResolved({ root, envDir, mode, isProduction, logger, command }) {
      surround({
        root,
        envDir: envDir === false ? undefined : envDir,
        mode,
        production: command === 'build' && isProduction,
        notify: (level, message) => logger[level](`[unplugin-prompts] ${message}`),
      })
    },

    async configureServer(server) {
      server.watcher.add((await session.project()).lock.path)
      const snapshot = await session.snapshot()
      for (const environment of Object.values(server.environments)) shown.set(environment, snapshot)
    },

    /** Runs once for every environment: each learns of the one reloaded snapshot. */
    async hotUpdate({ file }) {
      const { lock } = await session.project()
      if (file !== normalizePath(lock.path)) return undefined
      const snapshot = await session.refresh()
      if (shown.get(this.environment) === snapshot) return []
      shown.set(this.environment, snapshot)
      return [...this.environment.moduleGraph.idToModuleMap].flatMap(([id, module]) =>
        publicId(id) === undefined ? [] : [module],
      )
    },
  }
}

/** Vite names files with forward slashes on every system. */
function normalizePath(path: string): string {
  return path.split(sep).join('/')
}
