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
