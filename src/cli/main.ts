#!/usr/bin/env node
import module from 'node:module'
import process from 'node:process'
import { Interruption } from './interruption.ts'
import { runCommandLine } from './run.ts'

// Node 20 has none. Later ones keep what they compiled of TypeScript, in the system's own folder for
// temporary files, so that the next `pull` or `generate` starts sooner.
const { enableCompileCache } = module as typeof module & { enableCompileCache?: () => void }
enableCompileCache?.()

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

// What a configuration file prints goes along with the data, and must not stand in it.
globalThis.console = new console.Console(process.stderr)

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
