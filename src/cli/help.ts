import { placeholderOf } from './arguments.ts'
import type { Command, OptionTable } from './command.ts'
import { commonNames, everywhereOptions } from './common-options.ts'
import { registry } from './registry.ts'
import { alignColumns } from './table.ts'
import type { Channel, Terminal } from './terminal.ts'
import { version } from './version.ts'
import { wrap } from './wrap.ts'

/** Prints what the binary can do. @returns the exit code */
export function printOverview(terminal: Terminal): 0 {
  const { data } = terminal
  const commands = registry.map(({ name, summary }) => [data.style('cyan', name), summary])
  data.line(
    `${data.style('bold', 'prompts')} ${version} ${data.style('dim', '· pin the prompts of a hosted prompt service')}`,
  )
  printSection(data, 'Usage', ['prompts <command> [options]'])
  printSection(data, 'Commands', alignColumns(commands))
  printSection(data, 'Options', optionLines(everywhereOptions, terminal))
  printSection(data, 'Exit codes', ['0 fine   1 fault   2 wrong usage   3 drift   130 interrupted'])
  data.line()
  data.line(
    data.style('dim', 'prompts <command> --help shows the options and examples of a command.'),
  )
  terminal.json({ version, commands: registry.map(({ name, summary }) => ({ name, summary })) })
  return 0
}

/** Prints the help of one command. @returns the exit code */
export function printCommandHelp(command: Command, terminal: Terminal): 0 {
  const { data } = terminal
  const { name, summary, argument, details = [], examples } = command
  data.line(`${data.style('bold', `prompts ${name}`)} ${data.style('dim', `· ${summary}`)}`)
  for (const paragraph of details) printParagraph(paragraph, terminal)
  printSection(data, 'Usage', [usageOf(command)])
  if (argument !== undefined) {
    const row = [argument.placeholder, argument.description] as const
    printSection(data, 'Arguments', columns([row], terminal))
  }
  printOptions(command, terminal)
  const lines = examples.map(([line, effect]) => [line, data.style('dim', effect)])
  printSection(data, 'Examples', alignColumns(lines))
  terminal.json(helpJson(command))
  return 0
}

function usageOf({ name, argument }: Command): string {
  const placeholder = argument === undefined ? '' : ` ${argument.placeholder}`
  return `prompts ${name}${placeholder} [options]`
}

function printOptions({ options }: Command, terminal: Terminal): void {
  const { own, common } = splitOptions(options)
  if (Object.keys(own).length > 0) {
    printSection(terminal.data, 'Options', optionLines(own, terminal))
  }
  printSection(terminal.data, 'Common options', optionLines(common, terminal))
}

/** What `--help --json` prints. */
export interface HelpJson {
  readonly name: string
  readonly summary: string
  readonly argument: string | null
  readonly options: readonly { readonly name: string; readonly description: string }[]
}

function helpJson({ name, summary, argument, options }: Command): HelpJson {
  return {
    name,
    summary,
    argument: argument?.placeholder ?? null,
    options: Object.entries(options).map(([option, { description }]) => ({
      name: `--${option}`,
      description,
    })),
  }
}

function printParagraph(text: string, { data, width }: Terminal): void {
  data.line()
  for (const line of wrap(text, Math.min(width, 100) - 2)) data.line(`  ${line}`)
}

function printSection(data: Channel, title: string, lines: readonly string[]): void {
  data.line()
  data.line(data.style('bold', title))
  for (const line of lines) data.line(`  ${line}`)
}

function splitOptions(options: OptionTable): { own: OptionTable; common: OptionTable } {
  const entries = Object.entries(options)
  return {
    own: Object.fromEntries(entries.filter(([name]) => !commonNames.has(name))),
    common: Object.fromEntries(entries.filter(([name]) => commonNames.has(name))),
  }
}

function optionLines(options: OptionTable, terminal: Terminal): string[] {
  const rows = Object.entries(options).map(([name, spec]): [string, string] => [
    `${spec.short === undefined ? '   ' : `-${spec.short},`} --${name} ${placeholderOf(spec)}`.trimEnd(),
    spec.description,
  ])
  return columns(rows, terminal)
}

/** Two columns, the second wrapped under itself. */
function columns(
  rows: readonly (readonly [string, string])[],
  { data, width }: Terminal,
): string[] {
  const left = Math.max(...rows.map(([name]) => name.length)) + 2
  return rows.flatMap(([name, text]) =>
    wrap(text, Math.min(width, 100) - left - 2).map((line, index) =>
      index === 0 ? data.style('cyan', name.padEnd(left)) + line : ' '.repeat(left) + line,
    ),
  )
}
