import * as v from 'valibot'

// The schemas of everything that is read: the lock, options, responses.

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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
): v.GenericSchema {
  return v.pipe(record, v.objectWithRest(entries, v.never(unknown)))
}

/** A problem of a value. The messages of schemas complete "expected …". */
export interface SchemaProblem {
  /** Keys and indexes that lead to the value. */
  readonly path: readonly { readonly key: unknown; readonly value: unknown }[]
  /** Such as `expected a string`; values are never quoted. */
  readonly text: string
  /** `undefined` if the value is missing. */
  readonly input: unknown
}

/** Returns all problems of a value, in the order of the schema. */
export function findProblems(schema: v.GenericSchema, value: unknown): SchemaProblem[] {
  const { issues = [] } = v.safeParse(schema, value)
  return issues.map(({ type, path = [], input, message }) => {
    const isMissing = input === undefined && path.length > 0
    const text = isMissing ? 'missing' : type === 'never' ? message : `expected ${message}`
    return { path, text, input }
  })
}

/** Prints a path: `prompts[0].slug`, or `$.prompts[0].slug` below a root. */
export function printPath(path: SchemaProblem['path'], root: string = ''): string {
  const steps = path.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
  const printed = root + steps.join('')
  return printed.startsWith('.') ? printed.slice(1) : printed
}
