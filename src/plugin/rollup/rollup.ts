import type { UnpluginOptions } from 'unplugin'
import { importChain } from '../client-guard.ts'
import { createBuildWatch } from '../follow-sources.ts'
import type { Host } from '../host.ts'
import { refuseTwin } from '../twins.ts'

type RollupHooks = Exclude<UnpluginOptions['rollup'], undefined>
type RolldownHooks = Exclude<UnpluginOptions['rolldown'], undefined>

/** What only Rollup needs: it knows no place and no platform, but its plugins. */
export function rollupHooks({
  ids,
  start,
  session,
}: Pick<Host, 'ids' | 'start' | 'session'>): RollupHooks {
  const watch = createBuildWatch(session)
  return {
    async buildStart({ plugins }) {
      watch.stop()
      refuseTwin(ids, plugins)
      await start(this)
    },
    buildEnd() {
      if (this.meta.watchMode) watch.follow()
    },
    closeWatcher: watch.stop,
  }
}

/**
 * What Rolldown tells beyond Rollup: its folder, and its platform. That is the browser by default,
 * so only one that is named tells where the code runs.
 */
export function rolldownHooks({ ids, start, surround, guard, session }: Host): RolldownHooks {
  const importers = new Set<string>()
  const watch = createBuildWatch(session)
  return {
    options({ cwd, platform, transform }) {
      surround({
        ...(cwd === undefined ? {} : { root: cwd }),
        replacements: replacementsBy(transform),
        clientChain: (importer) => {
          if (platform === 'browser') importers.add(importer)
          return undefined
        },
      })
    },
    async buildStart({ plugins }) {
      watch.stop()
      importers.clear()
      refuseTwin(ids, plugins)
      await start(this)
    },
    /** Only now all importers of a module are known. */
    async buildEnd(error) {
      if (this.meta.watchMode) watch.follow()
      if (error !== undefined) return
      for (const importer of importers) {
        // One after the other: the first that fails is the one to show.
        // oxlint-disable-next-line no-await-in-loop
        await guard.check(importChain(importer, (id) => this.getModuleInfo(id) ?? undefined))
      }
    },
    closeWatcher: watch.stop,
  }
}

/** The part of Rolldown's options that changes modules after all plugins. */
interface Transform {
  readonly define?: Readonly<Record<string, string>>
  /** The modules that are imported for free names. */
  readonly inject?: Readonly<Record<string, unknown>>
}

/** The expressions that Rolldown may put into modules; those that it imports, as texts. */
export function replacementsBy({ define = {}, inject = {} }: Transform = {}): string[] {
  const imported = Object.values(inject).flat()
  return [...Object.values(define), ...imported.map((request) => JSON.stringify(request))]
}
