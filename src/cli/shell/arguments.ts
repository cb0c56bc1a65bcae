import { parseArgs } from 'node:util'
import { joinWords } from '../../core/text/pluralize.ts'
import { didYouMean } from '../../errors/did-you-mean.ts'
import { usageError } from '../../errors/prompts-error.ts'
import type { NamedCommand, OptionSpec, OptionTable } from './command.ts'

/** The value of one option. */
type OptionValue = string | number | boolean | readonly string[] | undefined

/** The parsed values of a command line, by long option name. */
interface ParsedArguments {
  readonly values: Readonly<Record<string, OptionValue>>
  readonly positionals: readonly string[]
}

/**
 * Parses the arguments of a command with Node's `parseArgs`.
 *
 * commander 14 was tried on one command: loading it takes 12 ms more (minimum of 21 runs), it
 * accepts `--out-dir --check` as a folder called `--check`, calls `--check=1` unknown, and takes no
 * option before the command. Typed values, `--help --json` and the other errors stay own code.
 *
 * @throws PromptsError USAGE for invalid arguments, with a suggestion
 */
export function parseArguments(
  argv: readonly string[],
  { name, argument, options }: Pick<NamedCommand, 'name' | 'argument' | 'options'>,
): ParsedArguments {
  const fail = createFail(name)
  const { values, positionals, tokens } = tokenize(argv, options)
  assertValidOptions(tokens, options, fail)
  const { maxCount = Number.POSITIVE_INFINITY } = argument ?? { maxCount: 0 }
  if (positionals.length > maxCount) fail(`Unexpected argument: ${positionals[maxCount] ?? ''}.`)
  const entries = Object.entries(options).map(
    ([option, spec]) => [option, readValue(option, spec, values[option], fail)] as const,
  )
  return { positionals, values: Object.fromEntries(entries) }
}

/**
 * Checks that a required argument is given, and which options are given together.
 *
 * @throws PromptsError USAGE
 */
export function assertCompatible(
  command: Pick<NamedCommand, 'name' | 'argument' | 'conflicts' | 'needs'>,
  { values, positionals }: ParsedArguments,
): void {
  const { name, argument, conflicts = [], needs = [] } = command
  const fail = createFail(name)
  if (argument?.missing !== undefined && positionals.length === 0) fail(argument.missing)
  const isGiven = (option: string): boolean => {
    const [long = '', choice] = option.split(' ')
    const value = values[long]
    if (choice !== undefined) return value === choice
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false
  }
  for (const [one, other] of conflicts) {
    if (isGiven(one) && isGiven(other)) fail(`--${one} and --${other} cannot be combined.`)
  }
  for (const [one, ...others] of needs) {
    if (!isGiven(one) || others.some(isGiven)) continue
    fail(`--${one} needs ${others.map((other) => `--${other}`).join(' or ')}.`)
  }
}

/**
 * The command's name, and the other arguments: it is the first one that is neither a common option nor its
 * value.
 *
 * @param commonOptions - may precede the name
 */
export function splitCommand(
  argv: readonly string[],
  commonOptions: OptionTable,
): { readonly name: string | undefined; readonly rest: readonly string[] } {
  const { tokens } = tokenize(argv, commonOptions)
  const at = tokens.find((token) => token.kind === 'positional')?.index ?? argv.length
  return { name: argv[at], rest: argv.toSpliced(at, 1) }
}

type Fail = (problem: string) => never

function createFail(command: string): Fail {
  return (problem) => {
    throw usageError(problem, command)
  }
}

/** Not strict: the messages of Node's strict parser have no suggestions and no placeholders. */
function tokenize(argv: readonly string[], options: OptionTable) {
  const entries = Object.entries(options).map(([name, spec]) => {
    const type = placeholderOf(spec) === '' ? ('boolean' as const) : ('string' as const)
    const { short, repeatable: multiple = false } = spec
    return [name, { type, multiple, ...(short === undefined ? {} : { short }) }] as const
  })
  return parseArgs({
    args: [...argv],
    options: Object.fromEntries(entries),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
}

function assertValidOptions(
  tokens: ReturnType<typeof tokenize>['tokens'],
  options: OptionTable,
  fail: Fail,
): void {
  const names = Object.keys(options).map((name) => `--${name}`)
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const spec = Object.hasOwn(options, name) ? options[name] : undefined
    if (spec === undefined) fail(`Unknown option: ${rawName}.${didYouMean(rawName, names)}`)
    const placeholder = placeholderOf(spec)
    if (placeholder === '' && value !== undefined) fail(`${rawName} takes no value.`)
    // An empty one is that of an empty variable; one that starts with a dash is probably the next option.
    const isMissing = !value || (!inlineValue && value.startsWith('-'))
    if (placeholder !== '' && isMissing) fail(`Missing value: ${rawName} ${placeholder}.`)
  }
}

/** The placeholder of an option's value in help and messages, such as `<dir>`; empty for flags. */
export function placeholderOf({ choices, placeholder = choices?.join('|') }: OptionSpec): string {
  return placeholder === undefined ? '' : `<${placeholder}>`
}

function readValue(name: string, spec: OptionSpec, value: unknown, fail: Fail): OptionValue {
  const { choices, range, repeatable } = spec
  if (placeholderOf(spec) === '') return value === true
  if (repeatable) return (value as readonly string[] | undefined) ?? []
  if (typeof value !== 'string') return undefined
  if (choices !== undefined && !choices.includes(value)) {
    const list = joinWords(choices, 'or')
    fail(`--${name} is ${list}, not “${value}”.${didYouMean(value, choices)}`)
  }
  if (range === undefined) return value
  const [number, [min, max]] = [Number(value), range]
  const fits = /^\d+$/.test(value) && number >= min && number <= max
  return fits ? number : fail(`--${name} is a whole number from ${min} to ${max}, not “${value}”.`)
}
