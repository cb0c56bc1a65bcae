import * as v from 'valibot'

// The schemas of everything that is read: the lock, options, responses.

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  // A custom service may be a module; a `Map` has no fields.
  return /^\[object (?:Object|Module)\]$/.test(Object.prototype.toString.call(value))
}

/** @returns `undefined` for any other text than a JSON object */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const string: v.GenericSchema<unknown, string> = v.string('a string')

/** The schema of a number, without `NaN` and infinities. */
export const finiteNumber: v.GenericSchema<unknown, number> = v.pipe(
  v.number('a finite number'),
  v.finite('a finite number'),
)

export const environment: v.GenericSchema<unknown, 'live' | 'test'> = v.picklist(
  ['live', 'test'],
  '"live" or "test"',
)

/** valibot accepts an array as an object. */
const record = v.custom<object>(isRecord, 'an object')

/** A JSON object; fields that are not in the schema are dropped. */
export function object<Entries extends v.ObjectEntries>(
  entries: Entries,
): v.GenericSchema<unknown, v.InferOutput<v.ObjectSchema<Entries, undefined>>> {
  return v.pipe(record, v.object(entries))
}

/**
 * A JSON object with no other fields. `v.strictObject` stops at the first unknown one.
 *
 * @param unknown - what another field is, such as `unknown option`
 */
export function exactObject<Entries extends v.ObjectEntries>(
  entries: Entries,
  unknown: string,
): v.GenericSchema<unknown, v.InferOutput<v.ObjectSchema<Entries, undefined>>> {
  return v.pipe(record, v.objectWithRest(entries, v.never(unknown)))
}

/** A problem of a value. The messages of schemas complete "expected …". */
export interface SchemaProblem {
  /** Keys and indexes that lead to the value. */
  readonly path: readonly unknown[]
  /** The schema that the value does not match, as valibot calls it: `string`. */
  readonly type: string
  /** Such as `expected a string`; values are never quoted. */
  readonly text: string
  /** `undefined` if the value is missing. */
  readonly input: unknown
}

export function findProblems(schema: v.GenericSchema, value: unknown): SchemaProblem[] {
  const { issues = [] } = v.safeParse(schema, value)
  return issues.map(({ type, path: steps = [], input, message }) => {
    const path = steps.map(({ key }) => key)
    if (input === undefined && path.length > 0) return { path, type, text: 'missing', input }
    const text = type === 'never' ? message : `expected ${message}`
    return { path, type, text, input }
  })
}

/** Prints a path of keys and indexes: `prompts[0].slug`, or `$.prompts[0].slug` below a root. */
export function printPath(path: readonly unknown[], root: string = ''): string {
  const steps = path.map((key) => {
    if (typeof key === 'number') return `[${key}]`
    return /^[\w-]+$/.test(String(key)) ? `.${String(key)}` : `[${JSON.stringify(key)}]`
  })
  return (root + steps.join('')).replace(/^\./, '')
}
