import type { Options } from './options.ts'

/** Milliseconds. Node runs a timer at once if its delay does not fit 32 bits. */
export const MAX_TIMER_DELAY: number = 2 ** 31 - 1

type Check = (value: unknown) => string | undefined

const text: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a string that is not empty'

const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false')

/** `!drafts/*` would match every slug that is not such a path. */
const NEGATION = /^!(?!\()/

const globs: Check = (value) => {
  const given = [value].flat()
  if (!given.every((glob) => text(glob) === undefined)) return 'a glob or an array of globs'
  return given.some((glob) => NEGATION.test(String(glob)))
    ? 'a glob without a leading `!` (use `exclude` to leave prompts out)'
    : undefined
}

const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value) ? undefined : words.join(', ')

const integer =
  (minimum: number, maximum: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
      ? undefined
      : `an integer from ${minimum} to ${maximum}`

const guard = oneOf('allow', 'warn', 'error')

const CHECKS: Readonly<Record<keyof Options, Check>> = {
  baseUrl: text,
  apiKey: text,
  environment: oneOf('live', 'test'),
  pull: oneOf('missing', 'always', 'never'),
  fallback: flag,
  include: globs,
  exclude: globs,
  lock: text,
  dts: (value) => (value === false || text(value) === undefined ? undefined : 'a path or false'),
  outDir: text,
  client: guard,
  production: guard,
  manifest: flag,
  page: flag,
  concurrency: integer(1, 256),
  timeout: integer(1, MAX_TIMER_DELAY),
}

/**
 * Returns all problems of options from a configuration. Uses no schema library, because every build
 * runs it. Values are never quoted: one may be a key.
 *
 * @returns one line per problem; empty if the value is valid {@link Options}
 */
export function optionProblems(options: unknown): string[] {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return ['expected an object']
  }
  return Object.entries(options).flatMap(([name, value]) => {
    if (!isOption(name)) return [`${name}: unknown option`]
    const expected = value === undefined ? undefined : CHECKS[name](value)
    return expected === undefined ? [] : [`${name}: expected ${expected}`]
  })
}

function isOption(name: string): name is keyof Options {
  return Object.hasOwn(CHECKS, name)
}
