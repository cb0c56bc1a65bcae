import { findTypedKeys } from '../config/api-key.ts'
import { sanitize } from '../core/text/sanitize.ts'
import { usageError } from '../errors/prompts-error.ts'
import { assertCompatible, firstPositional, parseArguments, didYouMean } from './args/arguments.ts'
import type { CommandContext } from './args/command.ts'
import { globalOptions, projectOptions } from './args/options.ts'
import { printCommandHelp, printOverview, printVersion } from './args/help.ts'
import { Interruption } from './interruption.ts'
import { type RegisteredCommand, registry } from './args/registry.ts'
import { reportError } from './output/report-error.ts'
import { createTerminal, type Terminal, type TerminalSettings } from './output/terminal.ts'

/** What the process passes to a run. */
export interface CommandLine
  extends
    Omit<TerminalSettings, 'json' | 'silent'>,
    Pick<CommandContext, 'argv' | 'cwd' | 'signal'> {}

/**
 * Runs one command line. Never throws: errors are printed here, once.
 *
 * @returns the exit code, see EXIT_CODES
 */
export async function runCommandLine(line: CommandLine): Promise<number> {
  const { argv } = line
  const [json, silent] = [isGiven(argv, '--json'), isGiven(argv, '--silent')]
  const terminal = createTerminal({ ...line, json, silent })
  const context = { ...line, terminal }
  redactTypedKeys(argv, terminal)
  try {
    return await dispatch(argv, context)
  } catch (error) {
    const { signal } = context
    const interrupted = signal.aborted && signal.reason instanceof Interruption
    const at = firstPositional(argv, { ...globalOptions, ...projectOptions })
    const command = at === undefined ? undefined : argv[at]
    return reportError(interrupted ? signal.reason : error, terminal, command)
  }
}

/** Searched before parsing, so usage errors are printed as JSON too. */
function isGiven(argv: readonly string[], option: string): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? argv.length : end).includes(option)
}

/** Error messages repeat unknown arguments, which may contain a key. */
function redactTypedKeys(argv: readonly string[], terminal: Terminal): void {
  const words = argv.flatMap((word) => [word, sanitize(word)])
  for (const key of words.flatMap(findTypedKeys)) terminal.redact(key)
}

async function dispatch(argv: readonly string[], context: CommandContext): Promise<number> {
  const { terminal } = context
  const at = firstPositional(argv, { ...globalOptions, ...projectOptions })
  if (at === undefined) return runWithoutCommand(argv, context)
  const rest = argv.toSpliced(at, 1)
  if (argv[at] === 'help') return dispatch([...rest, '--help'], context)
  const { name, summary, load } = findCommand(argv[at] ?? '')
  const command = { name, summary, ...(await load()) }
  const parsed = parseArguments(rest, command)
  if (parsed.values['version'] === true) return printVersion(context.terminal)
  if (parsed.values['help'] === true) return printCommandHelp(command, terminal)
  assertCompatible(command, parsed)
  const { values, positionals } = parsed
  return command.run({ ...context, values: values as never, positionals })
}

function runWithoutCommand(argv: readonly string[], context: CommandContext): number {
  if (argv.length === 0) return printOverview(context.terminal)
  const { values } = parseArguments(argv, { name: '', options: globalOptions })
  if (values['version'] === true) return printVersion(context.terminal)
  if (values['help'] === true) return printOverview(context.terminal)
  throw usageError('Name a command.')
}

function findCommand(name: string): RegisteredCommand {
  const names = registry.map((entry) => entry.name)
  const command = registry.find((entry) => entry.name === name || entry.alias === name)
  if (command !== undefined) return command
  throw usageError(`Unknown command: ${name}.${didYouMean(name, names)}`)
}
