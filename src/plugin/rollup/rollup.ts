import type { UnpluginOptions } from 'unplugin'
import { importChain } from '../client-guard.ts'
import { createBuildWatch } from '../watch-sources.ts'
import type { Host } from '../host.ts'
import { assertSinglePlugin } from '../single-plugin.ts'

type RollupHooks = Exclude<UnpluginOptions['rollup'], undefined>
type RolldownHooks = Exclude<UnpluginOptions['rolldown'], undefined>

/** Hooks for Rollup only. Rollup reports its plugins, but no root and no platform. */
export function rollupHooks({
  ids,
  start,
  session,
}: Pick<Host, 'ids' | 'start' | 'session'>): RollupHooks {
  const watch = createBuildWatch(session)
  return {
    async buildStart({ plugins }) {
      watch.stop()
      assertSinglePlugin(ids, plugins)
      await start(this)
    },
    buildEnd() {
      if (this.meta.watchMode) watch.start()
    },
    closeWatcher: watch.stop,
  }
}

/**
 * Hooks for Rolldown, which also reports its root and platform. The platform is `browser` by
 * default, so only an explicit one counts as client code.
 */
export function rolldownHooks({ ids, start, setContext, guard, session }: Host): RolldownHooks {
  const importers = new Set<string>()
  const watch = createBuildWatch(session)
  return {
    options({ cwd, platform, transform }) {
      setContext({
        ...(cwd === undefined ? {} : { root: cwd }),
        replacements: replacementsFrom(transform),
        clientChain: (importer) => {
          if (platform === 'browser') importers.add(importer)
          return undefined
        },
      })
    },
    async buildStart({ plugins }) {
      watch.stop()
      importers.clear()
      assertSinglePlugin(ids, plugins)
      await start(this)
    },
    /** All importers of a module are known only now. */
    async buildEnd(error) {
      if (this.meta.watchMode) watch.start()
      if (error !== undefined) return
      for (const importer of importers) {
        // One after the other: the first error is reported.
        // oxlint-disable-next-line no-await-in-loop
        await guard.check(importChain(importer, (id) => this.getModuleInfo(id) ?? undefined))
      }
    },
    closeWatcher: watch.stop,
  }
}

/** The part of Rolldown's options that replaces code after all plugins. */
interface Transform {
  readonly define?: Readonly<Record<string, string>>
  /** Modules imported for undeclared names. */
  readonly inject?: Readonly<Record<string, unknown>>
}

/** The expressions that Rolldown may insert into modules. Injected imports are string literals. */
export function replacementsFrom({ define = {}, inject = {} }: Transform = {}): string[] {
  const imported = Object.values(inject).flat()
  return [...Object.values(define), ...imported.map((request) => JSON.stringify(request))]
}
