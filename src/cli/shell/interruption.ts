import { once } from 'node:events'
import type { CommandContext } from './command.ts'

/** The abort reason of a run that a signal interrupted. */
export class Interruption extends Error {
  override readonly name = 'Interruption'
  /** 128 plus the number of the signal. */
  readonly exitCode: 130 | 143

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`Interrupted by ${signal}.`)
    this.exitCode = signal === 'SIGINT' ? 130 : 143
  }
}

/**
 * Waits for an interrupting signal, prints that the command stops, and returns the exit code. For
 * commands that run until Ctrl-C.
 */
export async function untilInterrupted({
  signal,
  terminal,
}: Pick<CommandContext, 'signal' | 'terminal'>): Promise<130 | 143> {
  // A pending promise doesn't keep a process alive. A timer does.
  const alive = setInterval(() => undefined, 2 ** 31 - 1)
  if (!signal.aborted) await once(signal, 'abort')
  clearInterval(alive)
  // Without the `^C` that a terminal shows.
  terminal.erase()
  terminal.messages.line(terminal.messages.dim('Stopped.'))
  return signal.reason instanceof Interruption ? signal.reason.exitCode : 130
}
