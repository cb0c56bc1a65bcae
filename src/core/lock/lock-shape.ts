import * as v from 'valibot'
import { isJoin } from '../prompt.ts'
import {
  environment,
  exactObject,
  findProblems,
  finiteNumber,
  printPath,
  type SchemaProblem,
  string,
} from '../schema.ts'
import { LOCK_VERSION } from './print-lock.ts'
import type { LockValue } from './read-entries.ts'

/** Without a schema for each line: a lock of 10,000 prompts has 400,000, and `v.array` copies them. */
const lines = v.custom<string[]>(
  (value) => Array.isArray(value) && value.every((line) => typeof line === 'string'),
  'an array of lines',
)

const ENTRY = exactObject(
  {
    slug: string,
    folder: string,
    model: string,
    temperature: finiteNumber,
    version: string,
    system: lines,
    user: lines,
    join: v.optional(v.pipe(string, v.check(isJoin, 'white space'))),
    source: v.optional(lines),
    held: v.optional(exactObject({ reason: string }, 'unknown key')),
    integrity: string,
  },
  'unknown key',
)

const LOCK = exactObject(
  {
    lockVersion: v.literal(LOCK_VERSION, `${LOCK_VERSION}`),
    environment,
    prompts: v.array(ENTRY, 'an array'),
  },
  'unknown key',
)

/** The JSON value of a lock, or its problems, one line each. */
export type CheckedShape =
  | { readonly kind: 'shape'; readonly value: LockValue }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

/** Checks keys and types. Their order and form is left to the comparison with the canonical text. */
export function checkShape(value: unknown): CheckedShape {
  const problems = findProblems(LOCK, value).map((problem) => describe(problem, value))
  return problems.length > 0
    ? { kind: 'invalid', problems }
    : { kind: 'shape', value: value as LockValue }
}

function describe({ path, text: problem }: SchemaProblem, lock: unknown): string {
  const [, index] = path
  const slug: unknown = Object(lock).prompts?.[index as number]?.slug
  const entry = printPath(path.slice(0, 2)) + (typeof slug === 'string' ? ` (${slug})` : '')
  return [entry, printPath(path.slice(2)), problem].filter((part) => part !== '').join(': ')
}
