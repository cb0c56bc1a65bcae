import type { Terminal } from '../output/terminal.ts'

/**
 * The exit code of a command: 0 ok, 1 error, 3 drift, 130 and 143 interrupted. 2 (usage) comes from
 * the runner.
 */
export type ExitCode = 0 | 1 | 3 | 130 | 143

interface OptionBase {
  /** One line for the help, without a period. */
  readonly description: string
  /** One letter: `-y`. */
  readonly short?: string
}

/** An option of a command and how its value is parsed. */
export type OptionSpec =
  | (OptionBase & { readonly type: 'flag' })
  | (OptionBase & { readonly type: 'text'; readonly placeholder: string })
  /** May be given several times. */
  | (OptionBase & { readonly type: 'texts'; readonly placeholder: string })
  | (OptionBase & {
      readonly type: 'choice'
      readonly choices: readonly string[]
      /** Replaces the list of choices in the help. */
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

/** The value of one option. If it was not given, `undefined`; `false` for a flag, `[]` for texts. */
type ValueOf<Spec extends OptionSpec> = Spec extends { type: 'flag' }
  ? boolean
  : Spec extends { type: 'texts' }
    ? readonly string[]
    : Spec extends { type: 'choice'; choices: readonly (infer Choice)[] }
      ? Choice | undefined
      : Spec extends { type: 'number' }
        ? number | undefined
        : string | undefined

/** The values of a table of options. */
export type ValuesOf<Table extends OptionTable> = {
  readonly [Name in keyof Table]: ValueOf<Table[Name]>
}

/** A command in the overview, without its code. */
export interface RegisteredCommand {
  readonly name: string
  /** A shorter name that works too. */
  readonly alias?: string
  /** One line, without a period. */
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
  /** Aborted by Ctrl-C or SIGTERM; its reason is an Interruption. */
  readonly signal: AbortSignal
  /** Every command there is. */
  readonly commands: readonly RegisteredCommand[]
}

/** One call of a command. */
export interface Invocation<Table extends OptionTable> extends CommandContext {
  readonly values: ValuesOf<Table>
  readonly positionals: readonly string[]
}

/** The positional arguments of a command. */
export interface ArgumentSpec {
  /** As in the usage line: `[slug…]`. */
  readonly placeholder: string
  readonly description: string
  /** Maximum number of arguments. */
  readonly maxCount: number
}

type OptionPair = readonly [one: string, other: string]

/** The description of a command: its help, and which options go together. */
export interface CommandDescription {
  readonly name: string
  readonly argument?: ArgumentSpec
  /** More details than the summary in the registry; one paragraph each. */
  readonly details?: readonly string[]
  /** Options that cannot be combined, such as `full`, or `format github` for one choice. */
  readonly conflicts?: readonly OptionPair[]
  /** Options and the one that each needs. */
  readonly needs?: readonly OptionPair[]
  /** A command line and what it does. */
  readonly examples: readonly (readonly [line: string, effect: string])[]
}

/** A command that {@link runCommandLine} can run. */
export interface Command extends CommandDescription {
  readonly options: OptionTable
  run(invocation: Invocation<OptionTable>): Promise<ExitCode>
}

/**
 * Defines a command whose `run` gets values typed by its own option table. The argument parser
 * guarantees these types, so they are narrowed only here.
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
