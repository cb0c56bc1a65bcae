import * as v from 'valibot'
import { exactObject, findProblems, object, printPath } from '../core/schema.ts'
import type { Options } from './options.ts'

/** Milliseconds. Node runs a timer at once if its delay does not fit 32 bits. */
const MAX_TIMER_DELAY = 2 ** 31 - 1

const text = v.custom<string>(isText, 'a string that is not empty')
const flag = v.boolean('true or false')
const guard = oneOf('allow', 'warn', 'error')

const globs = v.custom<unknown>(
  (value) => [value].flat().every(isText),
  'a glob or an array of globs',
)
const slugGlobs = withoutNegation('use `exclude` to leave prompts out')

const service = object({
  name: text,
  secrets: v.array(text, 'an array of names of variables'),
  list: v.function('a function'),
  get: v.function('a function'),
})

const SCHEMAS: Readonly<Record<keyof Options, v.GenericSchema>> = {
  baseUrl: text,
  apiKey: text,
  service,
  environment: oneOf('live', 'test'),
  pull: oneOf('missing', 'always', 'never'),
  fallback: flag,
  include: slugGlobs,
  exclude: slugGlobs,
  lock: text,
  dts: v.custom((value) => value === false || isText(value), 'a path or false'),
  outDir: text,
  apps: withoutNegation('name the folders of the apps instead'),
  client: guard,
  production: guard,
  page: v.custom((value) => value === 'read' || typeof value === 'boolean', 'true, false or read'),
  staging: flag,
  concurrency: integer(1, 256),
  timeout: integer(1, MAX_TIMER_DELAY),
}

export const OPTION_NAMES: readonly string[] = Object.keys(SCHEMAS)

const entries = Object.entries(SCHEMAS).map(([name, schema]) => [name, v.optional(schema)])
const OPTIONS = exactObject(Object.fromEntries(entries), 'unknown option')

/**
 * Returns all problems of options from a configuration. Values are never quoted: one may be a key.
 *
 * @param isFile - whether it is a configuration file, which alone may have functions. Default: it is not
 * @returns one line per problem; empty if the value is valid {@link Options}
 */
export function optionProblems(options: unknown, isFile = false): string[] {
  if (!isFile && Object(options).service !== undefined)
    return ['service: set it in the configuration file, not in the options of the plugin']
  return findProblems(OPTIONS, options).map(({ path, text: problem }) =>
    path.length === 0 ? problem : `${printPath(path)}: ${problem}`,
  )
}

/** `!drafts/*` would match every name that is not such a path. */
function withoutNegation(advice: string): v.GenericSchema {
  const isNegated = (glob: unknown): boolean => /^!(?!\()/.test(String(glob))
  return v.pipe(
    globs,
    v.check(
      (value) => ![value].flat().some(isNegated),
      `a glob without a leading \`!\` (${advice})`,
    ),
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function oneOf(...words: readonly string[]): v.GenericSchema {
  return v.picklist(words, words.join(', '))
}

function integer(minimum: number, maximum: number): v.GenericSchema {
  const isInRange = (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
  return v.custom(isInRange, `an integer from ${minimum} to ${maximum}`)
}
