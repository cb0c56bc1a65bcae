import process from 'node:process'
import { findTypedKeys, secretForms } from '../../config/api-key.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { usageError } from '../../errors/prompts-error.ts'
import { commonOptions } from '../project/options.ts'
import { assertCompatible, parseArguments, splitCommand } from '../shell/arguments.ts'
import { type CommandContext, globalOptions } from '../shell/command.ts'
import { Interruption } from '../shell/interruption.ts'
import { type CommandLine, createTerminal, type Terminal, watchOutput } from '../shell/terminal.ts'
import { printError, reportError } from '../view/report-error.ts'
import { printCommandHelp, printOverview, printVersion } from './help.ts'
import { loadCommand } from './registry.ts'

/** Runs the command line of this process, and sets its exit code. */
export async function main(): Promise<void> {
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
  const exitCode = await runCommandLine({ ...streams, argv, signal: aborter.signal })
  process.exitCode = isCut ? 1 : exitCode
}

/**
 * Runs one command line. Never throws: errors are printed here, once.
 *
 * @returns the exit code, see EXIT_CODES
 */
export async function runCommandLine(line: CommandLine): Promise<number> {
  const { argv } = line
  const terminal = createTerminal(line)
  const context = { ...line, terminal }
  redactTypedKeys(argv, terminal)
  try {
    return await dispatch(argv, context)
  } catch (error) {
    const { signal } = line
    const interrupted = signal.aborted && signal.reason instanceof Interruption
    const { name } = splitCommand(argv, commonOptions)
    return reportError(interrupted ? signal.reason : error, terminal, name)
  }
}

/** Error messages repeat unknown arguments, which may contain a key. */
function redactTypedKeys(argv: readonly string[], terminal: Terminal): void {
  const words = argv.flatMap((word) => [word, sanitize(word)])
  terminal.redact(...words.flatMap(findTypedKeys).flatMap(secretForms))
}

async function dispatch(argv: readonly string[], context: CommandContext): Promise<number> {
  const { terminal } = context
  const { name, rest } = splitCommand(argv, commonOptions)
  if (name === 'help') return dispatch([...rest, '--help'], context)
  const command = name === undefined ? undefined : await loadCommand(name)
  const parsed = parseArguments(rest, command ?? { name: '', options: globalOptions })
  const { values, positionals } = parsed
  if (values['version'] === true) return printVersion(terminal)
  if (values['help'] === true || argv.length === 0)
    return command === undefined ? printOverview(terminal) : printCommandHelp(command, terminal)
  if (command === undefined) throw usageError('Name a command.')
  assertCompatible(command, parsed)
  return command.run({ ...context, values: values as never, positionals })
}
