import type { Terminal } from '../output/terminal.ts'

/** What a command ends with: 0 fine, 1 fault, 3 drift, 130 and 143 ended by a signal. 2 is the runner's. */
export type ExitCode = 0 | 1 | 3 | 130 | 143

interface OptionBase {
  /** One line for the help, without a full stop. */
  readonly description: string
  /** One letter: `-y`. */
  readonly short?: string
}

/** An option of a command, by how its value is read. */
export type OptionSpec =
  | (OptionBase & { readonly type: 'flag' })
  | (OptionBase & { readonly type: 'text'; readonly placeholder: string })
  | (OptionBase & {
      readonly type: 'choice'
      readonly choices: readonly string[]
      /** Where the choices are too many for the help. */
      readonly placeholder?: string
    })
  | (OptionBase & {
      readonly type: 'number'
      readonly placeholder: string
      readonly min: number
      readonly max: number
    })

/** Options by their long names. */
export type OptionTable = Readonly<Record<string, OptionSpec>>

/** The value of one option; `undefined` where it was not given, `false` for a flag. */
type ValueOf<Spec extends OptionSpec> = Spec extends { type: 'flag' }
  ? boolean
  : Spec extends { type: 'choice'; choices: readonly (infer Choice)[] }
    ? Choice | undefined
    : Spec extends { type: 'number' }
      ? number | undefined
      : string | undefined

/** The values of a table of options. */
export type ValuesOf<Table extends OptionTable> = {
  readonly [Name in keyof Table]: ValueOf<Table[Name]>
}

/** A command as the overview knows it, without its code. */
export interface RegisteredCommand {
  readonly name: string
  /** A shorter name that works too. */
  readonly alias?: string
  /** One line, without a full stop. */
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** What every command gets: the terminal, the environment and the command line. */
export interface CommandContext {
  readonly terminal: Terminal
  /** The variables of the process. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working directory. */
  readonly cwd: string
  /** The whole command line, without the paths of Node and of the script. */
  readonly argv: readonly string[]
  /** Aborted by Ctrl-C and the like; its reason is an Interruption. */
  readonly signal: AbortSignal
  /** Every command there is. */
  readonly commands: readonly RegisteredCommand[]
}

/** One call of a command. */
export interface Invocation<Table extends OptionTable> extends CommandContext {
  readonly values: ValuesOf<Table>
  readonly positionals: readonly string[]
}

/** What stands behind the options on the command line. */
export interface ArgumentSpec {
  /** As in the usage line: `[slug…]`. */
  readonly placeholder: string
  readonly description: string
  /** How many there may be. */
  readonly maxCount: number
}

/** What a command says of itself, for its help. */
export interface CommandDescription {
  readonly name: string
  readonly argument?: ArgumentSpec
  /** More than the summary in the registry says; one paragraph each. */
  readonly details?: readonly string[]
  /** A command line and what it does. */
  readonly examples: readonly (readonly [line: string, effect: string])[]
}

/** A command, ready to be run by {@link runCommandLine}. */
export interface Command extends CommandDescription {
  readonly options: OptionTable
  run(invocation: Invocation<OptionTable>): Promise<ExitCode>
}

/**
 * Makes a command whose `run` gets the values as its own table types them. The argument parser
 * keeps that promise, so this is the one place where the types are narrowed.
 */
export function defineCommand<const Table extends OptionTable>(
  command: CommandDescription & {
    readonly options: Table
    run(invocation: Invocation<Table>): Promise<ExitCode>
  },
): Command {
  return {
    ...command,
    run: (invocation) => command.run(invocation as unknown as Invocation<Table>),
  }
}
