#!/usr/bin/env node
import process from 'node:process'
import { Interruption } from './interruption.ts'
import { runCommandLine } from './run.ts'

const aborter = new AbortController()
// Only the first signal is taken as a request to end; a second one ends the process at once.
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => aborter.abort(new Interruption(name)))
}

// A reader that has seen enough, such as `head`, is no fault.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const { stdin, stdout, stderr, env } = process
process.exitCode = await runCommandLine({
  argv: process.argv.slice(2),
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  signal: aborter.signal,
})
