import { stat } from 'node:fs/promises'
import { setInterval } from 'node:timers/promises'

/** How often files are looked at unless said otherwise, in milliseconds. */
const INTERVAL = 50

/** A watch over files. */
export interface FileWatcher {
  /** Resolves when the files are looked at no more. */
  close(): Promise<void>
}

/**
 * What tells one state of files from the next, without reading them; the same for every state in
 * which one can't be looked at.
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

/** What {@link watchFiles} watches. */
export interface WatchOptions {
  readonly paths: readonly string[]
  /** {@link fingerprintFiles} the files, from before their content was read. Without it, they count as changed. */
  readonly fingerprint?: string
  /** How long a change must have settled, and how often the files are looked at, in milliseconds. */
  readonly interval?: number
  readonly onChange: () => Promise<void>
}

/**
 * Calls `onChange` when the files are no longer as `mark` says and have then been still for an
 * interval; one call at a time.
 *
 * It polls, since `fs.watch` loses a file when an editor replaces it, when it is a link whose
 * target moves, and on network and container mounts; and polling from a mark that was taken
 * before the files were read misses no change in between.
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
  let known = fingerprint
  let last = fingerprint
  for await (const _ of ticks(interval, signal)) {
    const now = await fingerprintFiles(...paths)
    if (now !== known && now === last) {
      known = now
      await onChange()
    }
    last = now
  }
}

/** The moments to look at the files, until the signal; they keep no process alive. */
async function* ticks(interval: number, signal: AbortSignal): AsyncGenerator<void> {
  try {
    yield* setInterval(interval, undefined, { signal, ref: false })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
