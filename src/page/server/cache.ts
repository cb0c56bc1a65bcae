/** When a kept value is used again. */
interface Use {
  /** What the value depends on. Another stamp needs another value. */
  readonly stamp: string
  /** Milliseconds until a complete value is made again. Default: never. */
  readonly maxAge?: number
}

/** A value, as soon as it is complete. */
export interface Kept<Value> {
  readonly stamp: string
  /** When it was asked for, in milliseconds since 1970. */
  readonly at: number
  readonly value: Promise<Value>
}

/** Keeps the last value of each key, unless it fails. Requests at the same time share it. */
export interface Cache<Value> {
  /** The last value, of any age. */
  last(key: string): Kept<Value> | undefined
  get(key: string, use: Use, make: () => Promise<Value>): Kept<Value>
}

/** Creates an empty cache. */
export function createCache<Value>(now: () => number = Date.now): Cache<Value> {
  const all = new Map<string, Kept<Value> & { isRunning: boolean }>()
  return {
    last: (key) => all.get(key),
    get(key, { stamp, maxAge = Number.POSITIVE_INFINITY }, make) {
      const found = all.get(key)
      if (found?.stamp === stamp && (found.isRunning || now() - found.at < maxAge)) return found
      const kept = { stamp, at: now(), value: make(), isRunning: true }
      all.set(key, kept)
      kept.value.then(
        () => (kept.isRunning = false),
        () => all.get(key) === kept && all.delete(key),
      )
      return kept
    },
  }
}
