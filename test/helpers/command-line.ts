import { PassThrough, Writable } from 'node:stream'
import { runCommandLine } from '../../src/cli/run.ts'
import type { Call, Run } from './cli.ts'

/**
 * Runs a command line in this process, off a terminal: for tests of many commands, each of which
 * would load the compiler again in a process of its own.
 */
export async function commandLine(argv: readonly string[], { cwd, env = {} }: Call): Promise<Run> {
  const texts = { stdout: '', stderr: '' }
  const into = (name: keyof typeof texts): Writable =>
    new Writable({
      write(piece, _, done) {
        texts[name] += String(piece)
        done()
      },
    })
  const code = await runCommandLine({
    argv,
    cwd,
    env,
    stdin: new PassThrough(),
    stdout: into('stdout'),
    stderr: into('stderr'),
    signal: new AbortController().signal,
  })
  return { code, ...texts }
}
