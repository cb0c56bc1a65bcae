#!/usr/bin/env node
import module from 'node:module'
import process from 'node:process'
import { Interruption } from './cli/interruption.ts'
import { runCommandLine } from './cli/main.ts'
import { printError } from './cli/output/report-error.ts'
import { watchOutput, createTerminal } from './cli/output/terminal.ts'

// Not in Node 20. Later versions cache compiled code in the system's temporary folder, so the next
// command starts sooner.
const { enableCompileCache } = module as typeof module & { enableCompileCache?: () => void }
enableCompileCache?.()

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
