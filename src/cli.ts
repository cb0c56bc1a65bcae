#!/usr/bin/env node
import module from 'node:module'
import process from 'node:process'
import { Interruption } from './cli/interruption.ts'
import { watchOutput } from './cli/output/output-errors.ts'
import { printError } from './cli/output/report-error.ts'
import { runCommandLine } from './cli/main.ts'
import { createTerminal } from './cli/output/terminal.ts'

// Node 20 has none. Later ones keep what they compiled of TypeScript, in the system's own folder for
// temporary files, so that the next `pull` or `generate` starts sooner.
const { enableCompileCache } = module as typeof module & { enableCompileCache?: () => void }
enableCompileCache?.()

const aborter = new AbortController()
// Only the first signal is taken as a request to end; a second one ends the process at once.
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => aborter.abort(new Interruption(name)))
}

const { stdin, stdout, stderr, env } = process
let isCut = false
watchOutput({ 'Standard output': stdout, 'Standard error': stderr }, (error) => {
  isCut = true
  process.exitCode = 1
  printError(error, createTerminal({ stdin, stdout, stderr, env, json: false, silent: false }))
})

// What a configuration file prints goes along with the data, and must not stand in it.
globalThis.console = new console.Console(stderr)

const exitCode = await runCommandLine({
  argv: process.argv.slice(2),
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  signal: aborter.signal,
})
process.exitCode = isCut ? 1 : exitCode
