import { parseArgs, type ParseArgsConfig } from 'node:util'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { CommandDescription, OptionSpec, OptionTable } from './command.ts'
import { didYouMean } from './suggest.ts'

/** The values of a command line, by the long names of the options. */
export interface ParsedArguments {
  readonly values: Readonly<Record<string, string | number | boolean | undefined>>
  readonly positionals: readonly string[]
}

/** The command that is parsed for, as far as errors name it. */
export type ParsedCommand = Pick<CommandDescription, 'name' | 'argument'> & {
  readonly options: OptionTable
}

/**
 * Reads the arguments of a command by its table.
 *
 * @throws PromptsError USAGE for whatever the table does not know, with what may have been meant
 */
export function parseArguments(argv: readonly string[], command: ParsedCommand): ParsedArguments {
  const fail = createFail(command.name)
  const config = configOf(argv, command.options)
  assertValidOptions(config, command.options, fail)
  const parsed = parseArgs({ ...config, strict: true })
  const { positionals } = parsed
  const values: Readonly<Record<string, unknown>> = parsed.values
  const maxCount = command.argument?.maxCount ?? 0
  if (positionals.length > maxCount) fail(unexpectedArgument(command, positionals[maxCount] ?? ''))
  return {
    positionals,
    values: Object.fromEntries(
      Object.entries(command.options).map(([name, spec]) => [
        name,
        readValue({ name, spec, given: values[name], fail }),
      ]),
    ),
  }
}

/**
 * Where the first argument stands that is neither an option nor the value of one of these.
 *
 * @returns `undefined` where there is none
 */
export function firstPositional(argv: readonly string[], options: OptionTable): number | undefined {
  const { tokens } = parseArgs({ ...configOf(argv, options), strict: false, tokens: true })
  return tokens.find((token) => token.kind === 'positional')?.index
}

type Fail = (problem: string) => never

function createFail(command: string): Fail {
  return (problem) => {
    const details = { problem, command: command === '' ? '' : `${command} ` }
    throw new PromptsError('USAGE', details)
  }
}

function configOf(argv: readonly string[], options: OptionTable): ParseArgsConfig {
  const entries = Object.entries(options).map(([name, { type, short }]) => [
    name,
    { type: type === 'flag' ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) },
  ])
  return { args: [...argv], options: Object.fromEntries(entries), allowPositionals: true }
}

/** Found before Node's strict parser would: its messages know no neighbours and no placeholders. */
function assertValidOptions(config: ParseArgsConfig, options: OptionTable, fail: Fail): void {
  const { tokens } = parseArgs({ ...config, strict: false, tokens: true })
  const known = Object.keys(options).map((name) => `--${name}`)
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const spec = Object.hasOwn(options, name) ? options[name] : undefined
    if (spec === undefined) fail(`There is no option ${rawName}.${didYouMean(rawName, known)}`)
    if (spec.type === 'flag' && value !== undefined) fail(`${rawName} takes no value.`)
    // A value that begins with a dash is more likely the next option.
    const isMissing = value === undefined || (inlineValue !== true && value.startsWith('-'))
    if (spec.type !== 'flag' && isMissing) {
      fail(`${rawName} wants a value: ${rawName} ${placeholderOf(spec)}.`)
    }
  }
}

/** What stands for the value of an option in help and messages, such as `<dir>`; empty for flags. */
export function placeholderOf(spec: OptionSpec): string {
  if (spec.type === 'flag') return ''
  if (spec.type !== 'choice') return `<${spec.placeholder}>`
  return `<${spec.placeholder ?? spec.choices.join('|')}>`
}

function unexpectedArgument({ name, argument }: ParsedCommand, extra: string): string {
  return argument === undefined
    ? `\`prompts ${name}\` takes options only; “${extra}” is none.`
    : `“${extra}” is one argument too many.`
}

interface Given {
  readonly name: string
  readonly spec: OptionSpec
  readonly given: unknown
  readonly fail: Fail
}

function readValue({ name, spec, given, fail }: Given): string | number | boolean | undefined {
  if (spec.type === 'flag') return given === true
  if (typeof given !== 'string') return undefined
  if (spec.type === 'choice' && !spec.choices.includes(given)) {
    fail(
      `--${name} is ${spec.choices.join(' or ')}, not “${given}”.${didYouMean(given, spec.choices)}`,
    )
  }
  return spec.type === 'number' ? readNumber({ name, given, fail }, spec) : given
}

function readNumber(
  { name, given, fail }: Pick<Given, 'name' | 'fail'> & { readonly given: string },
  { min, max }: Extract<OptionSpec, { type: 'number' }>,
): number {
  const number = Number(given)
  const fits = /^\d+$/.test(given) && number >= min && number <= max
  return fits ? number : fail(`--${name} is a whole number from ${min} to ${max}, not “${given}”.`)
}
