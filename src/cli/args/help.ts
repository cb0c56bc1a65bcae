import manifest from '../../../package.json' with { type: 'json' }
import { wrapAnsi } from 'fast-wrap-ansi'
import { placeholderOf } from './arguments.ts'
import type { Command, NamedCommand } from './command.ts'
import { commonOptionNames, globalOptions, type OptionTable, projectOptions } from './options.ts'
import { registry } from './registry.ts'
import type { HelpJson, OverviewJson, VersionJson } from '../output/json.ts'
import type { Channel } from '../output/channel.ts'
import type { Terminal } from '../output/terminal.ts'
import { wrapRows } from '../output/layout.ts'

const { version } = manifest

/** Prints the version of this package. @returns the exit code */
export function printVersion({ stdout, json }: Terminal): 0 {
  stdout.line(version)
  json({ version } satisfies VersionJson)
  return 0
}

/** The same for all commands. */
const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'done'],
  ['1', 'a fault'],
  ['2', 'wrong usage'],
  ['3', 'a difference, or nothing was written because nobody could be asked'],
  ['130', 'interrupted'],
]

/** Prints the overview of all commands. @returns the exit code */
export function printOverview(terminal: Terminal): 0 {
  const { stdout } = terminal
  stdout.line(
    `${stdout.style('bold', 'prompts')} ${version} ${stdout.dim('· pin the prompts of a hosted prompt service')}`,
  )
  printSection(stdout, 'Usage', [['  prompts <command> [options]']])
  const rows = registry.map(({ name, alias, summary }) => [
    stdout.style('cyan', alias === undefined ? name : `${name}, ${alias}`),
    summary,
  ])
  const lines = layOut(rows, terminal)
  for (const group of new Set(registry.map((command) => command.group)))
    printSection(
      stdout,
      group,
      lines.filter((_, index) => registry[index]?.group === group),
    )
  const common = { ...projectOptions, ...globalOptions }
  printSection(stdout, 'Common options', layOut(optionRows(common, stdout), terminal))
  printSection(stdout, 'Exit codes', layOut(EXIT_CODES, terminal))
  stdout.line(
    '',
    stdout.dim('prompts <command> --help shows the options and examples of a command.'),
  )
  const listed = registry.map(({ name, summary }) => ({ name, summary }))
  terminal.json({ version, commands: listed } satisfies OverviewJson)
  return 0
}

/** Prints the help of one command. @returns the exit code */
export function printCommandHelp(command: NamedCommand, terminal: Terminal): 0 {
  const { stdout } = terminal
  const { name, summary, argument, details = [], examples } = command
  stdout.line(`${stdout.style('bold', `prompts ${name}`)} ${stdout.dim(`· ${summary}`)}`)
  for (const paragraph of details) printParagraph(paragraph, terminal)
  printSection(stdout, 'Usage', [[`  ${usageOf(command)}`]])
  if (argument !== undefined) {
    const row = [stdout.style('cyan', argument.placeholder), argument.description]
    printSection(stdout, 'Arguments', layOut([row], terminal))
  }
  printOptions(command, terminal)
  const lines = examples.map(([line, effect]) => [line, stdout.dim(effect)])
  printSection(stdout, 'Examples', layOut(lines, terminal))
  terminal.json(helpJson(command))
  return 0
}

function usageOf({ name, argument }: NamedCommand): string {
  const placeholder = argument === undefined ? '' : ` ${argument.placeholder}`
  return `prompts ${name}${placeholder} [options]`
}

/** The command's own options, and the names of the common ones, which the overview explains. */
function printOptions({ options }: Command, terminal: Terminal): void {
  const { stdout } = terminal
  const entries = Object.entries(options)
  const own = entries.filter(([name]) => !commonOptionNames.has(name))
  printSection(stdout, 'Options', layOut(optionRows(Object.fromEntries(own), stdout), terminal))
  const common = entries.filter(([name]) => commonOptionNames.has(name))
  const names = common.map(([name]) => `--${name}`).join(', ')
  printParagraph(`Common options: ${names}. \`prompts --help\` explains them.`, terminal)
}

function helpJson({ name, summary, argument, options }: NamedCommand): HelpJson {
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

/** Spaces between columns. */
const GAP = 2

/** Wider lines are harder to read. */
const MAX_WIDTH = 100

function printParagraph(text: string, { stdout, width }: Terminal): void {
  const lines = wrapAnsi(text, Math.min(width, MAX_WIDTH) - 2).split('\n')
  stdout.line('', ...lines.map((line) => `  ${line}`))
}

/** Prints rows of lines after an empty line and a title; nothing without rows. */
function printSection(channel: Channel, title: string, rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return
  channel.line('', channel.style('bold', title), ...rows.flat())
}

function optionRows(options: OptionTable, channel: Channel): string[][] {
  return Object.entries(options).map(([name, spec]) => {
    const short = spec.short === undefined ? '   ' : `-${spec.short},`
    const usage = `${short} --${name} ${placeholderOf(spec)}`.trimEnd()
    return [channel.style('cyan', usage), spec.description]
  })
}

/** Two indented columns, the second one wrapped: the lines of each row. */
function layOut(rows: readonly (readonly string[])[], { width }: Terminal): string[][] {
  const indented = rows.map(([left = '', right = '']) => [`  ${left}`, right])
  return wrapRows(indented, Math.min(width, MAX_WIDTH), GAP)
}
