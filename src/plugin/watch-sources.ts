import { realpath, utimes } from 'node:fs/promises'
import { type FileWatcher, watchFiles } from '../fs/watch.ts'
import type { Session, StaleSource } from './session.ts'

/**
 * How often the files are looked at, in milliseconds. A bundler's own watcher is usually faster;
 * this finds what it misses: a change before it watches, and one behind a link.
 */
const INTERVAL = 200

/**
 * Calls `onStale` when the files that a session serves from are no longer as it has read them.
 *
 * @returns what ends it
 */
export async function watchSources(
  session: Session,
  onStale: (what: StaleSource) => Promise<void>,
): Promise<FileWatcher> {
  return watchFiles({
    paths: await session.sources(),
    interval: INTERVAL,
    async onChange() {
      const what = await session.staleSource()
      if (what !== undefined) await onStale(what)
    },
  })
}

/** Follows the files of a session between the builds of a watch. */
export interface BuildWatch {
  /** After a build: asks for the next one, again and again until it begins. */
  start(): void
  /** When a build begins, or the watch ends. */
  stop(): void
}

/**
 * Makes what follows files between builds. It asks for a build by the only way that all bundlers
 * have: they build again when a watched file is touched. Rollup, Rolldown and Vite begin to watch
 * only when they have built, and Rspack reuses its modules when it is just told to build.
 */
export function createBuildWatch(session: Session): BuildWatch {
  let watch: Promise<FileWatcher> | undefined
  const stop = (): void => {
    void watch?.then((running) => running.close())
    watch = undefined
  }
  return {
    start() {
      stop()
      watch = watchSources(session, () => touchLock(session))
    },
    stop,
  }
}

async function touchLock(session: Session): Promise<void> {
  const now = new Date()
  const paths = await lockPaths(session)
  // A file that can't be touched, such as one that was deleted, is left to the bundler's watcher.
  await Promise.all(paths.map((path) => utimes(path, now, now).catch(() => undefined)))
}

/** Where the lock of a session is and, if that is a link, what it leads to. */
export async function lockPaths(session: Session): Promise<readonly string[]> {
  const { path } = (await session.project()).lock
  return [...new Set([path, await realpath(path).catch(() => path)])]
}
