/** Runs a task as soon as a slot is free, in the order of the calls; gives what the task gives. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>

/**
 * At most `size` tasks at a time. A request that would wait for a connection waits here instead,
 * where its deadline has not begun.
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
