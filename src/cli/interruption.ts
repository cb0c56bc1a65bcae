/** Why a run was ended from outside: the reason of its signal. */
export class Interruption extends Error {
  override readonly name = 'Interruption'
  /** The exit code of a process that such a signal ends: 128 and its number. */
  readonly exitCode: 130 | 143

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`Interrupted by ${signal}.`)
    this.exitCode = signal === 'SIGINT' ? 130 : 143
  }
}

/** For commands without an end of their own: waits for the signal, and gives the exit code. */
export async function untilInterrupted(signal: AbortSignal): Promise<130 | 143> {
  // A pending promise keeps no process alive; a timer does.
  const alive = setInterval(() => undefined, 2 ** 31 - 1)
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  clearInterval(alive)
  return signal.reason instanceof Interruption ? signal.reason.exitCode : 130
}
