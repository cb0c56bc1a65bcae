/** Runs a task when fewer than the maximum are running, in the order of the calls. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>

/**
 * Limits the number of concurrent tasks to `size`. Requests wait here instead of for a connection,
 * because their time limit has not started yet.
 */
export function createLimiter(size: number): Limiter {
  const waiting: (() => void)[] = []
  let free = size
  return async (task) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
