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
      const last = all.get(key)
      if (last?.stamp === stamp && (last.isRunning || now() - last.at < maxAge)) return last.value
      const entry = { stamp, at: now(), value: make(), isRunning: true }
      all.set(key, entry)
      entry.value.then(
        () => (entry.isRunning = false),
        () => all.get(key) === entry && all.delete(key),
      )
      return entry.value
    },
  }
}
