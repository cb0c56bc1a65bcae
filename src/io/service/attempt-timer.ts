import type { Budget } from './retry.ts'

/** What came too late: the headers of an answer, or its whole. */
export type LateStage = 'headers' | 'body'

/** Node runs a timer at once when its delay, in milliseconds, does not fit 32 bits. */
export const LONGEST_TIMER: number = 2 ** 31 - 1

/**
 * Ends one attempt when its time is over or when the service stops. One deadline over everything,
 * since undici's bodyTimeout starts again with each byte of a drip (FAULTS 5).
 */
export class AttemptTimer {
  /** Set when the attempt ran out of time. */
  late: LateStage | undefined
  readonly #aborter = new AbortController()
  readonly #service: AbortSignal
  readonly #headers: NodeJS.Timeout
  readonly #total: NodeJS.Timeout
  readonly #stop = (): void => this.#aborter.abort(new Error('stopped'))

  constructor(budget: Budget, service: AbortSignal) {
    this.#service = service
    this.#headers = this.#start('headers', budget.headers)
    this.#total = this.#start('body', budget.total)
    service.addEventListener('abort', this.#stop, { once: true })
  }

  /** Aborted when the attempt must end. */
  get signal(): AbortSignal {
    return this.#aborter.signal
  }

  /** From here on only the deadline of the whole counts. */
  headersArrived(): void {
    clearTimeout(this.#headers)
  }

  /** To be called when the attempt is over. */
  end(): void {
    clearTimeout(this.#headers)
    clearTimeout(this.#total)
    this.#service.removeEventListener('abort', this.#stop)
  }

  #start(stage: LateStage, milliseconds: number): NodeJS.Timeout {
    const expire = (): void => {
      this.late ??= stage
      this.#aborter.abort(new Error('too late'))
    }
    return setTimeout(expire, Math.min(milliseconds, LONGEST_TIMER))
  }
}
