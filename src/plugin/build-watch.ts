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
 * Watches the lock and the configuration between builds. Rollup, Rolldown, Vite, webpack and Rspack watch the lock
 * alone, and miss a change before their watchers start, which is after the first build, a change of a link's target,
 * and in Rollup one within 50 ms of another change of that file (https://github.com/paulmillr/chokidar/issues/1455).
 *
 * @param request - requests a build, because of the files of {@link buildPaths}
 */
export function createBuildWatch(
  session: Session,
  request: (paths: readonly string[]) => unknown,
): BuildWatch {
  let watch: Promise<FileWatcher> | undefined
  const stop = (): void => {
    void watch?.then((running) => running.close())
    watch = undefined
  }
  return {
    start() {
      stop()
      watch = session.watch(async () => void (await request(await buildPaths(session))))
    },
    stop,
  }
}

/**
 * The watch of all builds of a session, which requests one by touching the files: Rollup and those with its API can't be
 * asked in another way.
 */
export function touchBetweenBuilds(session: Session): BuildWatch {
  const watch = TOUCHING.get(session) ?? createBuildWatch(session, touch)
  TOUCHING.set(session, watch)
  return watch
}

const TOUCHING = new WeakMap<Session, BuildWatch>()

async function touch(paths: readonly string[]): Promise<void> {
  const now = new Date()
  // The bundler's own watcher handles a file that can't be touched, such as a deleted one.
  await Promise.all(paths.map((path) => utimes(path, now, now).catch(() => undefined)))
}

/**
 * The files that a build watches: the lock. While the project can't be opened, its lock is unknown, and
 * the files to watch are those that may fix it.
 */
export async function buildPaths(session: Session): Promise<readonly string[]> {
  const paths = await session.lockPaths()
  return paths.length > 0 ? paths : session.sources()
}
