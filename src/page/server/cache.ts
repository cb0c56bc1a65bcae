/** When a kept value is used again. */
interface Use {
  /** What the value depends on. Another stamp needs another value. */
  readonly stamp: string
  /** Milliseconds until a complete value is made again. Default: never. */
  readonly maxAge?: number
}

/** Keeps the last value of each key, unless it fails. Requests at the same time share it. */
export interface Cache<Value> {
  /** The last value, of any age. */
  last(key: string): Promise<Value> | undefined
  get(key: string, use: Use, make: () => Promise<Value>): Promise<Value>
}

/** Creates an empty cache. */
export function createCache<Value>(now: () => number = Date.now): Cache<Value> {
  const all = new Map<
    string,
    { stamp: string; at: number; value: Promise<Value>; isRunning: boolean }
  >()
  return {
    last: (key) => all.get(key)?.value,
    get(key, { stamp, maxAge = Number.POSITIVE_INFINITY }, make) {
      const found = all.get(key)
      if (found?.stamp === stamp && (found.isRunning || now() - found.at < maxAge))
        return found.value
      const kept = { stamp, at: now(), value: make(), isRunning: true }
      all.set(key, kept)
      kept.value.then(
        () => (kept.isRunning = false),
        () => all.get(key) === kept && all.delete(key),
      )
      return kept.value
    },
  }
}
