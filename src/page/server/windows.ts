import type { ServerResponse } from 'node:http'
import { type FileWatcher, fingerprintFiles, watchFiles } from '../../fs/watch.ts'
import { writeHead } from './respond.ts'
import type { Store } from './store.ts'

/** Milliseconds between checks of the service while a window listens. */
const CHECK_INTERVAL = 60_000

/** Milliseconds without a window after which the code counts as changed: not every server watches it. */
const AWAY = 30_000

/** The windows that listen. While there are any, the lock is watched once for all, and the service is asked. */
export class Windows {
  readonly #store: Store
  readonly #open = new Set<ServerResponse>()
  #leftAt = Number.NEGATIVE_INFINITY
  #stop: (() => void) | undefined

  readonly #watchFiles: typeof watchFiles

  /** @param watch - replaced in tests */
  constructor(store: Store, watch: typeof watchFiles = watchFiles) {
    this.#store = store
    this.#watchFiles = watch
  }

  /** Answers with events until the window is closed. An event says that there is something new to show. */
  add(response: ServerResponse): undefined {
    const { code, source } = this.#store
    if (this.#open.size === 0 && source.now() - this.#leftAt > AWAY) code.changed()
    this.#open.add(response)
    writeHead(response, 200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(': welcome\n\n')
    response.on('close', () => {
      this.#open.delete(response)
      if (this.#open.size > 0) return
      this.#leftAt = source.now()
      this.#stop?.()
      this.#stop = undefined
    })
    this.#stop ??= this.#watch()
    this.changed()
  }

  /** Finds out what the windows show, if there are any. */
  changed(): void {
    if (this.#open.size > 0) void this.#store.follow()
  }

  notify(): void {
    for (const response of this.#open) if (!response.destroyed) response.write('data:\n\n')
  }

  #watch(): () => void {
    const { path } = this.#store.source.project.lock
    const onChange = async (): Promise<void> => {
      this.notify()
      this.changed()
    }
    const watching: Promise<FileWatcher> = fingerprintFiles(path).then((fingerprint) =>
      this.#watchFiles({ paths: [path], fingerprint, onChange }),
    )
    const timer = setInterval(() => this.changed(), CHECK_INTERVAL).unref()
    return () => {
      clearInterval(timer)
      void watching.then((watcher) => watcher.close())
    }
  }
}
