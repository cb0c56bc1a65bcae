/** Keeps the last value. Requests at the same time share it. */
export class Cache<Value> {
  readonly #now: () => number
  readonly #onNew: () => void
  #last:
    | {
        stamp: string
        at: number
        value: Promise<Value>
        isRunning: boolean
        known: Value | undefined
      }
    | undefined

  /** @param onNew - called with each new value that is known */
  constructor(now: () => number, onNew: () => void = () => undefined) {
    this.#now = now
    this.#onNew = onNew
  }

  /** The last complete value for a stamp, of any age. */
  known(stamp: string): Value | undefined {
    return this.#last?.stamp === stamp ? this.#last.known : undefined
  }

  /** Has the value made again when it is asked for, also one that is being made. */
  expire(): void {
    if (this.#last) Object.assign(this.#last, { at: Number.NEGATIVE_INFINITY, isRunning: false })
  }

  /**
   * @param stamp - what the value depends on: another stamp needs another value
   * @param maxAge - milliseconds until a complete value is made again. Default: never
   */
  get(stamp: string, make: () => Promise<Value>, maxAge?: number): Promise<Value> {
    const last = this.#last
    const isFresh =
      last?.isRunning || this.#now() - (last?.at ?? 0) < (maxAge ?? Number.POSITIVE_INFINITY)
    if (last?.stamp === stamp && isFresh) return last.value
    const known = this.known(stamp)
    const entry = { stamp, at: this.#now(), value: make(), isRunning: true, known }
    this.#last = entry
    const keep = (value: Value): void => {
      Object.assign(entry, { isRunning: false, known: value })
      if (this.#last === entry) this.#onNew()
    }
    const forget = (): void => {
      if (this.#last === entry) this.#last = undefined
    }
    entry.value.then(keep, forget)
    return entry.value
  }
}
