import process from 'node:process'
import { Interruption } from './interruption.ts'
import { type CommandLine, createTerminal, type Terminal, watchOutput } from './terminal.ts'

/**
 * Runs the command line of this process, and sets its exit code.
 *
 * @param run - never throws; returns the exit code
 * @param printError - prints that an output stream can't be written
 */
export async function runProcess(
  run: (line: CommandLine) => Promise<number>,
  printError: (error: unknown, terminal: Terminal) => void,
): Promise<void> {
  const aborter = new AbortController()
  // The first signal requests an orderly end. A second one ends the process at once.
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => aborter.abort(new Interruption(name)))
  }

  const { stdin, stdout, stderr, env } = process
  const streams = { stdin, stdout, stderr, env, cwd: process.cwd() }
  let isCut = false
  watchOutput({ 'Standard output': stdout, 'Standard error': stderr }, (error) => {
    isCut = true
    process.exitCode = 1
    printError(error, createTerminal({ ...streams, argv: [] }))
  })

  // Output of a configuration file goes to stderr, so it doesn't mix with data on stdout.
  globalThis.console = new console.Console(stderr)

  const argv = process.argv.slice(2)
  const exitCode = await run({ ...streams, argv, signal: aborter.signal })
  process.exitCode = isCut ? 1 : exitCode
}
