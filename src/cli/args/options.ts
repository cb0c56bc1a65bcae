/** What all options have. */
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

/** Options of every command. */
export const globalOptions = {
  root: {
    type: 'text',
    placeholder: 'dir',
    description: 'Folder of the project (default: found from here upwards)',
  },
  json: { type: 'flag', description: 'Print one JSON object on stdout and no messages' },
  silent: { type: 'flag', description: 'Print nothing but errors' },
  help: { type: 'flag', short: 'h', description: 'Show this help' },
  version: { type: 'flag', short: 'v', description: 'Show the version of unplugin-prompts' },
} as const

/** Options of the commands that work on a project. */
export const projectOptions = {
  name: {
    type: 'text',
    placeholder: 'name',
    description: 'Workspace, if the app has several (default: prompts)',
  },
  environment: {
    type: 'choice',
    choices: ['live', 'test'],
    description: 'Which snapshot (default: what the key serves, else live)',
  },
  mode: {
    type: 'text',
    placeholder: 'mode',
    description: 'Which .env.<mode> files to read (default: NODE_ENV or production)',
  },
} as const

/** The port option of commands that start a server. */
export function portOption(port: number): Extract<OptionSpec, { type: 'number' }> {
  return {
    type: 'number',
    placeholder: 'port',
    min: 0,
    max: 65_535,
    description: `Port to listen on; 0 takes a free one (default: ${port})`,
  }
}

/** Names of {@link globalOptions} and {@link projectOptions}, which the help lists separately. */
export const commonOptionNames: ReadonlySet<string> = new Set([
  ...Object.keys(globalOptions),
  ...Object.keys(projectOptions),
])
