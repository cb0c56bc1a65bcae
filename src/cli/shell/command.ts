import { once } from 'node:events'
import type { CommandLine, Terminal } from './terminal.ts'

/**
 * The exit code of a command: 0 done, 1 a fault, 3 a difference or nobody could be asked, 130 and
 * 143 interrupted. 2 (usage) comes from the runner.
 */
export type ExitCode = 0 | 1 | 3 | 130 | 143

/** What the overview says of a command, which is known without its code. */
export interface CommandMeta {
  readonly name: string
  /** Its heading in the overview. */
  readonly group: string
  /** One line, without a period. */
  readonly summary: string
  load(): Promise<Command>
}

/** A command with its entry in the overview. */
export interface NamedCommand extends CommandMeta, Command {}

/** What every command gets: the command line, and a terminal in place of its streams. */
export interface CommandContext extends Omit<CommandLine, 'stdin' | 'stdout' | 'stderr'> {
  readonly terminal: Terminal
}

/** One call of a command. */
export interface Invocation<Table extends OptionTable> extends CommandContext {
  readonly values: ValuesOf<Table & typeof globalOptions>
  readonly positionals: readonly string[]
}

/** The positional arguments of a command. */
export interface ArgumentSpec {
  /** As in the usage line: `[slug…]`. */
  readonly placeholder: string
  readonly description: string
  /** Maximum number of arguments. Default: any number. */
  readonly maxCount?: number
  /** The error without an argument, if one is required. */
  readonly missing?: string
}

/** A command with options of its own: its help, which options go together, and what it does. */
export interface CommandDefinition<Table extends OptionTable, Call = Invocation<Table>> {
  readonly argument?: ArgumentSpec
  /** What the summary leaves out; one paragraph each. */
  readonly details?: readonly string[]
  /** Options that cannot be combined, such as `full`, or `format github` for one choice. */
  readonly conflicts?: readonly (readonly [one: string, other: string])[]
  /** Options that each need one of the others. */
  readonly needs?: readonly (readonly [one: string, ...others: string[]])[]
  /** A command line and what it does. */
  readonly examples: readonly (readonly [line: string, effect: string])[]
  readonly options: Table
  run(invocation: Call): Promise<ExitCode>
}

/** A command that {@link runCommandLine} can run. */
export type Command = CommandDefinition<OptionTable>

/**
 * Defines a command with its own options and the global ones. The argument parser guarantees the
 * types of the values, so they are narrowed only here.
 */
export function defineCommand<const Table extends OptionTable>(
  command: CommandDefinition<Table>,
): Command {
  return {
    ...command,
    options: { ...command.options, ...globalOptions },
    run: (invocation) => command.run(invocation as unknown as Invocation<Table>),
  }
}

/** An option of a command: a flag, unless it has a placeholder or choices for its value. */
export interface OptionSpec {
  /** One line for the help, without a period. */
  readonly description: string
  /** One letter: `-y`. */
  readonly short?: string
  /** The value in the help: `dir` for `<dir>`. Default: the choices. */
  readonly placeholder?: string
  /** The values that there are. */
  readonly choices?: readonly string[]
  /** The value is a whole number from the first to the second. */
  readonly range?: readonly [min: number, max: number]
  /** May be given several times. */
  readonly repeatable?: true
}

/** Options by their long names. */
export type OptionTable = Readonly<Record<string, OptionSpec>>

/** The value of one option. If it was not given, `undefined`; `false` for a flag, `[]` if repeatable. */
type ValueOf<Spec extends OptionSpec> = Spec extends { choices: readonly (infer Choice)[] }
  ? Choice | undefined
  : Spec extends { range: unknown }
    ? number | undefined
    : Spec extends { repeatable: true }
      ? readonly string[]
      : Spec extends { placeholder: string }
        ? string | undefined
        : boolean

/** The values of a table of options. */
export type ValuesOf<Table extends OptionTable> = {
  readonly [Name in keyof Table]: ValueOf<Table[Name]>
}

/** Options of every command. */
export const globalOptions = {
  root: {
    placeholder: 'dir',
    description: 'Folder of the project (default: found from here upwards)',
  },
  json: { description: 'Print one JSON object on stdout and no messages' },
  silent: { description: 'Print nothing but errors' },
  help: { short: 'h', description: 'Show this help' },
  version: { short: 'v', description: 'Show the version of unplugin-prompts' },
} as const

/** The port option of commands that start a server. */
export function portOption(
  port: number,
): Required<Pick<OptionSpec, 'placeholder' | 'range' | 'description'>> {
  return {
    placeholder: 'port',
    range: [0, 65_535],
    description: `Port to listen on; 0 takes a free one (default: the first free one from ${port} on)`,
  }
}

/** The port to listen on, and how many from there on to try: one if it was asked for. */
export function portOf(
  selected: number | undefined,
  standard: number,
): [port: number, attempts: number] {
  return selected === undefined ? [standard, 20] : [selected, 1]
}

/** The abort reason of a run that a signal interrupted. */
export class Interruption extends Error {
  override readonly name = 'Interruption'
  /** 128 plus the number of the signal. */
  readonly exitCode: 130 | 143

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`Interrupted by ${signal}.`)
    this.exitCode = signal === 'SIGINT' ? 130 : 143
  }
}

/**
 * Waits for an interrupting signal, prints that the command stops, and returns the exit code. For
 * commands that run until Ctrl-C: their server keeps the process alive.
 */
export async function untilInterrupted({
  signal,
  terminal,
}: Pick<CommandContext, 'signal' | 'terminal'>): Promise<130 | 143> {
  if (!signal.aborted) await once(signal, 'abort')
  // Without the `^C` that a terminal shows.
  terminal.erase()
  terminal.messages.line(terminal.messages.dim('Stopped.'))
  return signal.reason instanceof Interruption ? signal.reason.exitCode : 130
}
