import process from 'node:process'
import { version } from '../../../package.json' with { type: 'json' }
import { findTypedKeys } from '../../config/api-key.ts'
import { secretForms } from '../../core/secrets.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { isPromptsError, usageError } from '../../errors/prompts-error.ts'
import { commonOptions } from '../project/options.ts'
import {
  assertCompatible,
  parseArguments,
  placeholderOf,
  splitCommand,
} from '../shell/arguments.ts'
import {
  type CommandContext,
  globalOptions,
  type NamedCommand,
  type OptionTable,
  Interruption,
} from '../shell/command.ts'
import {
  type Channel,
  type CommandLine,
  createTerminal,
  type Terminal,
  watchOutput,
} from '../shell/terminal.ts'
import { printError, reportError } from '../view/report-error.ts'
import type { HelpJson, OverviewJson, VersionJson } from '../view/json.ts'
import { loadCommand, registry } from './registry.ts'

/** Runs the command line of this process, and sets its exit code. */
export async function main(): Promise<void> {
  const aborter = new AbortController()
  // The first signal requests an orderly end. A second one ends the process at once.
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => aborter.abort(new Interruption(name)))
  }

  const { stdin, stdout, stderr, env } = process
  const streams = { stdin, stdout, stderr, env, cwd: workingFolder() ?? '' }
  let isCut = false
  watchOutput({ 'Standard output': stdout, 'Standard error': stderr }, (error) => {
    isCut = true
    process.exitCode = 1
    printError(error, createTerminal({ ...streams, argv: [] }))
  })

  // Output of a configuration file goes to stderr, so it doesn't mix with data on stdout.
  globalThis.console = new console.Console(stderr)

  const argv = process.argv.slice(2)
  if (streams.cwd === '') {
    const error = usageError('The working directory was deleted: change to another one.')
    process.exitCode = reportError(error, createTerminal({ ...streams, argv }))
    return
  }
  const exitCode = await runCommandLine({ ...streams, argv, signal: aborter.signal })
  process.exitCode = isCut ? 1 : exitCode
}

/** @returns `undefined` if it was deleted */
function workingFolder(): string | undefined {
  try {
    return process.cwd()
  } catch {
    return undefined
  }
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
    const isInterrupted = signal.aborted && signal.reason instanceof Interruption
    const isWritten = isPromptsError(error) && 'written' in error.details
    const { name } = splitCommand(argv, commonOptions)
    return reportError(isInterrupted && !isWritten ? signal.reason : error, terminal, name)
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
  if (values['version'] === true) {
    terminal.stdout.line(version)
    terminal.json({ version } satisfies VersionJson)
    return 0
  }
  if (values['help'] === true || argv.length === 0) {
    if (command === undefined) printOverview(terminal)
    else printCommandHelp(command, terminal)
    return 0
  }
  if (command === undefined) throw usageError('Name a command.')
  assertCompatible(command, parsed)
  return command.run({ ...context, values: values as never, positionals })
}

/** The same for all commands. */
const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'done'],
  ['1', 'an error'],
  ['2', 'wrong usage'],
  ['3', 'a difference, or nothing was written because nobody could be asked'],
  ['130', 'interrupted (143 by SIGTERM)'],
]

/** Prints the overview of all commands. */
function printOverview(terminal: Terminal): void {
  const { prose } = terminal
  const title = (text: string): string => prose.style('bold', text)
  const subtitle = prose.dim('· pin the prompts of a hosted prompt service')
  prose.line(`${title('prompts')} ${version} ${subtitle}`)
  prose.section(title('Usage'), [['prompts <command> [options]']])
  for (const group of new Set(registry.map((command) => command.group))) {
    const commands = registry.filter((command) => command.group === group)
    const rows = commands.map(({ name, summary }) => [
      prose.style('cyan', name.padEnd(NAMES_WIDTH)),
      summary,
    ])
    prose.section(title(group), rows)
  }
  prose.section(title('Common options'), optionRows(commonOptions, prose))
  prose.section(title('Exit codes'), EXIT_CODES)
  prose.line('', prose.dim('prompts <command> --help shows the options and examples of a command.'))
  const commands = registry.map(({ name, summary }) => ({ name, summary }))
  terminal.json({ version, commands } satisfies OverviewJson)
}

/** So that the summaries of all groups are aligned. */
const NAMES_WIDTH = 8

/** Prints the help of one command. */
function printCommandHelp(command: NamedCommand, terminal: Terminal): void {
  const { prose } = terminal
  const { name, summary, argument, details = [], options, examples } = command
  const title = (text: string): string => prose.style('bold', text)
  prose.line(`${title(`prompts ${name}`)} ${prose.dim(`· ${summary}`)}`)
  const placeholder = argument === undefined ? '' : ` ${argument.placeholder}`
  prose.section(title('Usage'), [[`prompts ${name}${placeholder} [options]`]])
  const lines = examples.map(([line, effect]) => [line, prose.dim(effect)])
  prose.section(title('Examples'), lines)
  for (const paragraph of details) prose.line('', `  ${paragraph}`)
  if (argument !== undefined) {
    const row = [prose.style('cyan', argument.placeholder), argument.description]
    prose.section(title('Arguments'), [row])
  }
  const isCommon = (option: string): boolean => Object.hasOwn(commonOptions, option)
  const others = Object.entries(options).filter(([option]) => !isCommon(option))
  prose.section(title('Options'), optionRows(Object.fromEntries(others), prose))
  // The overview explains these.
  const common = Object.keys(options).filter(isCommon)
  const commonNames = common.map((option) => `--${option}`).join(', ')
  prose.line('', `  Common options: ${commonNames}. \`prompts --help\` explains them.`)
  terminal.json({
    name,
    summary,
    argument: argument?.placeholder ?? null,
    options: Object.entries(options).map(([option, { description }]) => ({
      name: `--${option}`,
      description,
    })),
  } satisfies HelpJson)
}

function optionRows(options: OptionTable, channel: Channel): string[][] {
  return Object.entries(options).map(([name, spec]) => {
    const short = spec.short === undefined ? '   ' : `-${spec.short},`
    const usage = `${short} --${name} ${placeholderOf(spec)}`.trimEnd()
    return [channel.style('cyan', usage), spec.description]
  })
}
