import type { Options } from './options.ts'

/** Milliseconds. Node runs a timer at once if its delay does not fit 32 bits. */
export const MAX_TIMER_DELAY: number = 2 ** 31 - 1

type Check = (value: unknown) => string | undefined

const text: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a text that is not empty'

const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false')

/** `!drafts/*` would match each slug that is no such path, and so every prompt. */
const NEGATION = /^!(?!\()/

const globs: Check = (value) => {
  const given = [value].flat()
  if (!given.every((glob) => text(glob) === undefined)) return 'a glob or an array of globs'
  return given.some((glob) => NEGATION.test(String(glob)))
    ? 'no glob that begins with `!`: `exclude` says what is left out'
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
      : `a whole number from ${minimum} to ${maximum}`

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
 * What is wrong with options from a configuration, all at once. Written without a schema library,
 * since every build runs it and none should load one. Values never appear: one may be a key.
 *
 * @returns one line per problem; empty when the value is valid {@link Options}
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
