import process from 'node:process'
import { Interruption } from './interruption.ts'
import { runCommandLine } from '../commands/main.ts'
import { printError } from '../view/report-error.ts'
import { createTerminal, watchOutput } from './terminal.ts'

/** Runs the command line of this process, and sets its exit code. */
export async function runProcess(): Promise<void> {
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
    printError(error, createTerminal({ ...streams, json: false, silent: false }))
  })

  // Output of a configuration file goes to stderr, so it doesn't mix with data on stdout.
  globalThis.console = new console.Console(stderr)

  const argv = process.argv.slice(2)
  const exitCode = await runCommandLine({ ...streams, argv, signal: aborter.signal })
  process.exitCode = isCut ? 1 : exitCode
}
