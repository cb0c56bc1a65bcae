import { randomUUID } from 'node:crypto'
import { appendFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PluginBuild } from 'esbuild'
import type { UnpluginBuildContext } from 'unplugin'
import { PACKAGE_NAME } from '../../core/workspace-name.ts'
import type { Host } from '../host.ts'
import type { Snapshot } from '../snapshot.ts'

/** Starts the builds of one plugin in esbuild, and adds the files that they watch. */
export interface EsbuildStart {
  follow(build: Pick<PluginBuild, 'onStart' | 'onEnd' | 'onDispose'>): void
  /**
   * Adds the watched files. This happens while resolving, since a module that fails to load adds
   * none.
   *
   * @param context - `this` of the resolve hook
   */
  watch(context: Pick<UnpluginBuildContext, 'addWatchFile'>): Promise<void>
}

/**
 * Makes esbuild rebuild when the lock or the options change, also while a build starts.
 *
 * esbuild compares a watched file with its content at the moment when a plugin adds it, which is
 * after the start of the build. It misses a change in between: the output is old, or the build
 * keeps failing with the error of a lock that is fixed. So the end of each build checks the session.
 * A plugin can request a rebuild only by changing a watched file: each build watches a temporary file
 * of its own, which exists only after such a request.
 */
export function createEsbuildStart({
  session,
  start,
}: Pick<Host, 'session' | 'start'>): EsbuildStart {
  const request = join(tmpdir(), `${PACKAGE_NAME}-${randomUUID()}`)
  const served = (): Promise<Snapshot | undefined> =>
    session()
      .snapshot()
      .catch(() => undefined)
  let started: Snapshot | undefined
  return {
    follow({ onStart, onEnd, onDispose }) {
      onStart(async () => {
        try {
          started = await start()
        } catch (error) {
          started = await served()
          throw error
        }
      })
      onEnd(async () => {
        const isStale = (await session().staleSource()) !== undefined
        // Another build that shares the session may have read the change.
        if (isStale || (await served()) !== started) appendFileSync(request, '.')
      })
      onDispose(() => rmSync(request, { force: true }))
    },
    async watch(context) {
      for (const path of [request, ...(await session().sources())]) context.addWatchFile(path)
    },
  }
}
