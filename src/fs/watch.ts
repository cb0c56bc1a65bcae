import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const INTERVAL = 50

export interface FileWatcher {
  /** Stops watching. Resolves when no call of `onChange` is running. */
  close(): Promise<void>
}

/**
 * Returns a text that changes when the files change, without reading them. Files that can't be
 * accessed count as absent.
 */
export async function fingerprintFiles(...paths: readonly string[]): Promise<string> {
  return (await Promise.all(paths.map(fingerprintFile))).join('\n')
}

async function fingerprintFile(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return 'absent'
  }
}

interface WatchOptions {
  readonly paths: readonly string[]
  /**
   * Result of {@link fingerprintFiles} from before the files were read. Without it, they count as
   * changed.
   */
  readonly fingerprint?: string
  /** Polling interval in milliseconds; a change is reported after one interval without another. */
  readonly interval?: number
  /** Must not reject: nobody awaits it while the watch runs. */
  readonly onChange: () => Promise<void>
}

/**
 * Calls `onChange` when the files differ from the fingerprint and have not changed for an interval.
 * Calls never overlap.
 *
 * It polls, because `fs.watch` loses a file that an editor replaces or whose link changes, and does not
 * work on network and container mounts. With a fingerprint from before the files were read, no change
 * is missed.
 */
export function watchFiles(options: WatchOptions): FileWatcher {
  const stop = new AbortController()
  const done = poll(options, stop.signal)
  return {
    async close() {
      stop.abort()
      await done
    },
  }
}

async function poll(
  { paths, fingerprint = '', interval = INTERVAL, onChange }: WatchOptions,
  signal: AbortSignal,
): Promise<void> {
  let reported = fingerprint
  let last = fingerprint
  try {
    for (;;) {
      // Does not keep the process alive.
      await delay(interval, undefined, { signal, ref: false })
      const now = await fingerprintFiles(...paths)
      if (now !== reported && now === last) {
        reported = now
        await onChange()
      }
      last = now
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
