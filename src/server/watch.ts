import { stat } from 'node:fs/promises'
import { setInterval } from 'node:timers/promises'

/** How long a change must have settled, and how often the file is looked at, in milliseconds. */
const INTERVAL = 50

/** A watch over one file. */
export interface Watch {
  /** Resolves when the file is looked at no more. */
  close(): Promise<void>
}

/**
 * What tells one state of a file from the next, without reading it; the same for every state in
 * which it can't be looked at.
 */
export async function markOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return 'absent'
  }
}

/**
 * Calls `onChange` when the file is no longer as `mark` says and has then been still for
 * {@link INTERVAL}; one call at a time.
 *
 * It polls, since `fs.watch` loses the file when an editor replaces it, when it is a link whose
 * target moves, and on network and container mounts; and polling from a mark that was taken
 * before the file was read misses no change in between.
 */
export function watchFile(options: {
  readonly path: string
  /** {@link markOf} the file, from before its content was read. */
  readonly mark: string
  readonly onChange: () => Promise<void>
}): Watch {
  const stop = new AbortController()
  const done = poll({ ...options, signal: stop.signal })
  return {
    async close() {
      stop.abort()
      await done
    },
  }
}

async function poll({
  path,
  mark,
  onChange,
  signal,
}: Parameters<typeof watchFile>[0] & { readonly signal: AbortSignal }): Promise<void> {
  let known = mark
  let last = mark
  for await (const _ of ticks(signal)) {
    const now = await markOf(path)
    if (now !== known && now === last) {
      known = now
      await onChange()
    }
    last = now
  }
}

/** The moments to look at the file, until the signal; they keep no process alive. */
async function* ticks(signal: AbortSignal): AsyncGenerator<void> {
  try {
    yield* setInterval(INTERVAL, undefined, { signal, ref: false })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
