/** Keeps the last value, unless it fails. Requests at the same time share it. */
export class Cache<Value> {
  readonly #now: () => number
  #last: { stamp: string; at: number; value: Promise<Value>; isRunning: boolean } | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  /** The last value, of any age. */
  last(): Promise<Value> | undefined {
    return this.#last?.value
  }

  /**
   * @param stamp - what the value depends on: another stamp needs another value
   * @param maxAge - milliseconds until a complete value is made again. Default: never
   */
  get(
    { stamp = '', maxAge = Number.POSITIVE_INFINITY }: { stamp?: string; maxAge?: number },
    make: () => Promise<Value>,
  ): Promise<Value> {
    const last = this.#last
    const isFresh = last && (last.isRunning || this.#now() - last.at < maxAge)
    if (last?.stamp === stamp && isFresh) return last.value
    const entry = { stamp, at: this.#now(), value: make(), isRunning: true }
    this.#last = entry
    entry.value.then(
      () => (entry.isRunning = false),
      () => this.#last === entry && (this.#last = undefined),
    )
    return entry.value
  }
}
