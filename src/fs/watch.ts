import { stat } from 'node:fs/promises'
import { setInterval } from 'node:timers/promises'

/** How often files are looked at unless said otherwise, in milliseconds. */
const INTERVAL = 50

/** A watch over files. */
export interface Watch {
  /** Resolves when the files are looked at no more. */
  close(): Promise<void>
}

/**
 * What tells one state of files from the next, without reading them; the same for every state in
 * which one can't be looked at.
 */
export async function markOf(...paths: readonly string[]): Promise<string> {
  return (await Promise.all(paths.map(markOfOne))).join('\n')
}

async function markOfOne(path: string): Promise<string> {
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
  /** {@link markOf} the files, from before their content was read. Without it, they count as changed. */
  readonly mark?: string
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
export function watchFiles(options: WatchOptions): Watch {
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
  { paths, mark = '', interval = INTERVAL, onChange }: WatchOptions,
  signal: AbortSignal,
): Promise<void> {
  let known = mark
  let last = mark
  for await (const _ of ticks(interval, signal)) {
    const now = await markOf(...paths)
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
