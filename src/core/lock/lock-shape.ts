import * as v from 'valibot'
import { isJoin } from '../prompt.ts'
import { exactObject, findProblems, isRecord, printPath, type SchemaProblem } from '../schema.ts'
import { LOCK_VERSION } from './print-lock.ts'
import type { LockValue } from './read-entries.ts'

const text = v.string('a string')
/** Without a schema for each line: a lock of 10,000 prompts has 400,000, and `v.array` copies them. */
const lines = v.custom<string[]>(
  (value) => Array.isArray(value) && value.every((line) => typeof line === 'string'),
  'an array of lines',
)

const ENTRY = exactObject(
  {
    slug: text,
    folder: text,
    model: text,
    temperature: v.pipe(v.number('a finite number'), v.finite('a finite number')),
    version: text,
    system: lines,
    user: lines,
    join: v.optional(v.pipe(text, v.check(isJoin, 'white space'))),
    source: v.optional(lines),
    held: v.optional(exactObject({ reason: text }, 'unknown key')),
    integrity: text,
  },
  'unknown key',
)

const LOCK = exactObject(
  {
    lockVersion: v.literal(LOCK_VERSION, `${LOCK_VERSION}`),
    environment: v.picklist(['live', 'test'], '"live" or "test"'),
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
  const problems = findProblems(LOCK, value).map(describe)
  return problems.length > 0
    ? { kind: 'invalid', problems }
    : { kind: 'shape', value: value as LockValue }
}

function describe({ path, text: problem }: SchemaProblem): string {
  const entry = path[1]?.value
  const slug = isRecord(entry) && typeof entry['slug'] === 'string' ? ` (${entry['slug']})` : ''
  const parts = [printPath(path.slice(0, 2)) + slug, printPath(path.slice(2)), problem]
  return parts.filter((part) => part !== '').join(': ')
}
