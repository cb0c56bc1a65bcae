import { wrapAnsi } from 'fast-wrap-ansi'
import { placeholderOf } from './arguments.ts'
import type { Command } from './command.ts'
import { commonOptionNames, globalOptions, type OptionTable } from './options.ts'
import { registry } from './registry.ts'
import type { VersionJson } from '../output/json.ts'
import type { Channel, Format } from '../output/channel.ts'
import type { Terminal } from '../output/terminal.ts'
import { version } from '../output/version.ts'

/** `prompts --help --json`. */
export interface OverviewJson extends VersionJson {
  readonly commands: readonly { readonly name: string; readonly summary: string }[]
}

/** Prints the overview of all commands. @returns the exit code */
export function printOverview(terminal: Terminal): 0 {
  const { stdout } = terminal
  const commands = registry.map(({ name, alias, summary }): Row => [
    alias === undefined ? name : `${name}, ${alias}`,
    summary,
  ])
  stdout.line(
    `${stdout.style('bold', 'prompts')} ${version} ${stdout.dim('· pin the prompts of a hosted prompt service')}`,
  )
  printSection(stdout, 'Usage', ['prompts <command> [options]'])
  printSection(stdout, 'Commands', columns(commands, terminal, NAMES))
  printSection(stdout, 'Options', columns(optionRows(globalOptions), terminal, NAMES))
  printSection(stdout, 'Exit codes', ['0 ok   1 error   2 usage   3 drift   130 interrupted'])
  stdout.line(
    '',
    stdout.dim('prompts <command> --help shows the options and examples of a command.'),
  )
  const listed = registry.map(({ name, summary }) => ({ name, summary }))
  terminal.json({ version, commands: listed } satisfies OverviewJson)
  return 0
}

/** Prints the help of one command. @returns the exit code */
export function printCommandHelp(command: Command, terminal: Terminal): 0 {
  const { stdout } = terminal
  const { name, argument, details = [], examples } = command
  const summary = summaryOf(name)
  stdout.line(`${stdout.style('bold', `prompts ${name}`)} ${stdout.dim(`· ${summary}`)}`)
  for (const paragraph of details) printParagraph(paragraph, terminal)
  printSection(stdout, 'Usage', [usageOf(command)])
  if (argument !== undefined) {
    const row = [argument.placeholder, argument.description] as const
    printSection(stdout, 'Arguments', columns([row], terminal, NAMES))
  }
  printOptions(command, terminal)
  printSection(stdout, 'Examples', columns(examples, terminal, { right: 'dim' }))
  terminal.json(helpJson(command))
  return 0
}

function usageOf({ name, argument }: Command): string {
  const placeholder = argument === undefined ? '' : ` ${argument.placeholder}`
  return `prompts ${name}${placeholder} [options]`
}

/** The command's own options and the common ones, in aligned columns. */
function printOptions({ options }: Command, terminal: Terminal): void {
  const left = leftOf(optionRows(options))
  const { own, common } = splitOptions(options)
  if (Object.keys(own).length > 0) {
    printSection(
      terminal.stdout,
      'Options',
      columns(optionRows(own), terminal, { ...NAMES, width: left }),
    )
  }
  printSection(
    terminal.stdout,
    'Common options',
    columns(optionRows(common), terminal, { ...NAMES, width: left }),
  )
}

/** `prompts <command> --help --json`. */
export interface HelpJson {
  readonly name: string
  readonly summary: string
  /** Its placeholder, such as `<slug>`; `null` if the command takes none. */
  readonly argument: string | null
  readonly options: readonly { readonly name: string; readonly description: string }[]
}

function helpJson({ name, argument, options }: Command): HelpJson {
  return {
    name,
    summary: summaryOf(name),
    argument: argument?.placeholder ?? null,
    options: Object.entries(options).map(([option, { description }]) => ({
      name: `--${option}`,
      description,
    })),
  }
}

function summaryOf(command: string): string {
  return registry.find(({ name }) => name === command)?.summary ?? ''
}

function printParagraph(text: string, { stdout, width }: Terminal): void {
  stdout.line()
  for (const line of wrap(text, Math.min(width, 100) - 2)) stdout.line(`  ${line}`)
}

function printSection(channel: Channel, title: string, lines: readonly string[]): void {
  channel.line('', channel.style('bold', title))
  for (const line of lines) channel.line(`  ${line}`)
}

function splitOptions(options: OptionTable): { own: OptionTable; common: OptionTable } {
  const entries = Object.entries(options)
  return {
    own: Object.fromEntries(entries.filter(([name]) => !commonOptionNames.has(name))),
    common: Object.fromEntries(entries.filter(([name]) => commonOptionNames.has(name))),
  }
}

type Row = readonly [name: string, text: string]

function optionRows(options: OptionTable): Row[] {
  return Object.entries(options).map(([name, spec]) => {
    const short = spec.short === undefined ? '   ' : `-${spec.short},`
    return [`${short} --${name} ${placeholderOf(spec)}`.trimEnd(), spec.description]
  })
}

function leftOf(rows: readonly Row[]): number {
  return Math.max(...rows.map(([name]) => name.length)) + 2
}

/** The style of two columns. */
interface ColumnStyle {
  /** Format of the left column. */
  readonly left?: Format
  /** Format of the right column. */
  readonly right?: Format
  /** Width of the left column. Default: that of its longest text. */
  readonly width?: number
}

const NAMES: ColumnStyle = { left: 'cyan' }

/** Narrower texts go below their names. */
const MIN_TEXT = 30

/** Two columns; the second one is wrapped. */
function columns(
  rows: readonly Row[],
  { stdout, width: screen }: Terminal,
  { left = 'reset', right = 'reset', width = leftOf(rows) }: ColumnStyle,
): string[] {
  const available = Math.min(screen, 100) - width - 2
  const isBelow = available < MIN_TEXT
  return rows.flatMap(([name, text]) => {
    const lines = wrap(text, isBelow ? Math.min(screen, 100) - 10 : available)
    if (isBelow)
      return [
        stdout.style(left, name),
        ...lines.map((line) => `        ${stdout.style(right, line)}`),
      ]
    return lines.map((line, index) => {
      const cell = index === 0 ? name : ''
      return stdout.style(left, cell) + ' '.repeat(width - cell.length) + stdout.style(right, line)
    })
  })
}

function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, width).split('\n')
}
