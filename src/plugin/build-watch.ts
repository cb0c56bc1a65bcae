import { utimes } from 'node:fs/promises'
import type { FileWatcher } from '../fs/watch.ts'
import type { Session } from './session.ts'

/** Watches the sources of a session between the builds of a watch. */
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
export function createBuildWatch(getSession: () => Session): BuildWatch {
  let watch: Promise<FileWatcher> | undefined
  const stop = (): void => {
    void watch?.then((running) => running.close())
    watch = undefined
  }
  return {
    start() {
      stop()
      const session = getSession()
      watch = session.watch(() => touch(session))
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
  return session.lockPaths().catch(() => session.sources())
}
