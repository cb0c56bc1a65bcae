/** When a kept value is used again. */
interface Use {
  /** What the value depends on. Another stamp needs another value. */
  readonly stamp?: string
  /** Milliseconds until a complete value is made again. Default: never. */
  readonly maxAge?: number
}

/** Keeps the last value, unless it fails. Requests at the same time share it. */
export interface Cache<Value> {
  /** The last value, of any age. */
  last(): Promise<Value> | undefined
  get(use: Use, make: () => Promise<Value>): Promise<Value>
}

/** Creates an empty cache. */
export function createCache<Value>(now: () => number = Date.now): Cache<Value> {
  let last: { stamp: string; at: number; value: Promise<Value>; isRunning: boolean } | undefined
  return {
    last: () => last?.value,
    get({ stamp = '', maxAge = Number.POSITIVE_INFINITY }, make) {
      const isFresh = last && (last.isRunning || now() - last.at < maxAge)
      if (last?.stamp === stamp && isFresh) return last.value
      const entry = { stamp, at: now(), value: make(), isRunning: true }
      last = entry
      entry.value.then(
        () => (entry.isRunning = false),
        () => last === entry && (last = undefined),
      )
      return entry.value
    },
  }
}
