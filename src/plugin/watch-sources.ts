import { realpath, utimes } from 'node:fs/promises'
import { type FileWatcher, watchFiles } from '../fs/watch.ts'
import type { Session, StaleSource } from './session.ts'

/**
 * Milliseconds between two checks of the files. A bundler's own watcher is usually faster. This one
 * finds what it misses: a change before it starts, and a change of a link's target.
 */
const INTERVAL = 200

/**
 * Calls `onStale` when the lock or the configuration differs from what the session has read.
 *
 * @returns the watch, to close it
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

/** Watches the files of a session between the builds of a watch. */
export interface BuildWatch {
  /** Call after a build. Requests the next build until it starts. */
  start(): void
  /** Call when a build begins or the watch ends. */
  stop(): void
}

/**
 * Watches files between builds. To request a build it touches the files of {@link buildPaths}: all
 * bundlers rebuild when a watched file is touched. Rollup, Rolldown and Vite start watching after the
 * first build, and Rspack reuses its modules when a build is requested through its API.
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
      watch = watchSources(session, () => touch(session))
    },
    stop,
  }
}

async function touch(session: Session): Promise<void> {
  const now = new Date()
  const paths = await buildPaths(session)
  // The bundler's own watcher handles a file that can't be touched, such as a deleted one.
  await Promise.all(paths.map((path) => utimes(path, now, now).catch(() => undefined)))
}

/**
 * The files that a build watches: the lock. While the project can't be opened, its lock is unknown, and
 * the files to watch are those that may fix it.
 */
export function buildPaths(session: Session): Promise<readonly string[]> {
  return lockPaths(session).catch(() => session.sources())
}

/** The path of a session's lock and, if it is a link, of its target. */
export async function lockPaths(session: Session): Promise<readonly string[]> {
  const { path } = (await session.project()).lock
  return [...new Set([path, await realpath(path).catch(() => path)])]
}
