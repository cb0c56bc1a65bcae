import { version } from '../../../package.json' with { type: 'json' }
import { commonOptions } from '../project/options.ts'
import { placeholderOf } from '../shell/arguments.ts'
import type { Channel, Terminal } from '../shell/terminal.ts'
import type { NamedCommand, OptionTable } from '../shell/command.ts'
import type { HelpJson, OverviewJson, VersionJson } from '../view/json.ts'
import { registry } from './registry.ts'

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
  const { prose } = terminal
  const title = (text: string): string => prose.style('bold', text)
  const subtitle = prose.dim('· pin the prompts of a hosted prompt service')
  prose.line(`${title('prompts')} ${version} ${subtitle}`)
  prose.section(title('Usage'), [['prompts <command> [options]']])
  for (const group of new Set(registry.map((command) => command.group))) {
    const commands = registry.filter((command) => command.group === group)
    const rows = commands.map(({ name, alias, summary }) => {
      const names = alias === undefined ? name : `${name}, ${alias}`
      return [prose.style('cyan', names.padEnd(NAMES_WIDTH)), summary]
    })
    prose.section(title(group), rows)
  }
  prose.section(title('Common options'), optionRows(commonOptions, prose))
  prose.section(title('Exit codes'), EXIT_CODES)
  prose.line('', prose.dim('prompts <command> --help shows the options and examples of a command.'))
  const commands = registry.map(({ name, summary }) => ({ name, summary }))
  terminal.json({ version, commands } satisfies OverviewJson)
  return 0
}

/** So that the summaries of all groups are aligned. */
const NAMES_WIDTH = 8

/** Prints the help of one command. @returns the exit code */
export function printCommandHelp(command: NamedCommand, terminal: Terminal): 0 {
  const { prose } = terminal
  const { name, summary, argument, details = [], options, examples } = command
  const title = (text: string): string => prose.style('bold', text)
  prose.line(`${title(`prompts ${name}`)} ${prose.dim(`· ${summary}`)}`)
  for (const paragraph of details) prose.line('', `  ${paragraph}`)
  const placeholder = argument === undefined ? '' : ` ${argument.placeholder}`
  prose.section(title('Usage'), [[`prompts ${name}${placeholder} [options]`]])
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
  const lines = examples.map(([line, effect]) => [line, prose.dim(effect)])
  prose.section(title('Examples'), lines)
  terminal.json({
    name,
    summary,
    argument: argument?.placeholder ?? null,
    options: Object.entries(options).map(([option, { description }]) => ({
      name: `--${option}`,
      description,
    })),
  } satisfies HelpJson)
  return 0
}

function optionRows(options: OptionTable, channel: Channel): string[][] {
  return Object.entries(options).map(([name, spec]) => {
    const short = spec.short === undefined ? '   ' : `-${spec.short},`
    const usage = `${short} --${name} ${placeholderOf(spec)}`.trimEnd()
    return [channel.style('cyan', usage), spec.description]
  })
}
