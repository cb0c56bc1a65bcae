import { globalOptions, type OptionTable, type ValuesOf } from './options.ts'
import type { CommandLine, Terminal } from './terminal.ts'

/**
 * The exit code of a command: 0 done, 1 a fault, 3 a difference or nobody could be asked, 130 and
 * 143 interrupted. 2 (usage) comes from the runner.
 */
export type ExitCode = 0 | 1 | 3 | 130 | 143

/** A command with its entry in the overview. */
export interface NamedCommand extends Command {
  readonly name: string
  readonly summary: string
}

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
  /** More details than the summary in the registry; one paragraph each. */
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
