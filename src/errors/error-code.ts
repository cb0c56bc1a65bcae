/** The code of an error of the system, TLS or undici, such as `ENOENT`; `''` if it has none. */
export function errorCode(error: unknown): string {
  return textOf(error instanceof Error && 'code' in error ? error.code : undefined)
}

/** The message of whatever was thrown; also of an object that is no error, or that can't be printed. */
export function errorMessage(error: unknown): string {
  try {
    const { message }: { message?: unknown } = Object(error)
    return typeof message === 'string' ? message : String(error)
  } catch {
    return 'unknown error'
  }
}

/** Deeper causes are dropped. */
const MAX_DEPTH = 5

/**
 * Copies an error and its causes, and changes every line of message and stack. Other fields are
 * dropped, because errors of the HTTP parser carry the bytes that were received.
 *
 * @param change - makes one line safe to print
 */
export function copyError(
  error: unknown,
  change: (line: string) => string,
  depth: number = MAX_DEPTH,
): Error {
  if (!(error instanceof Error)) return new Error(change(errorMessage(error)))
  const inner = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined)
  const copy = new Error(
    change(errorMessage(error)),
    inner === undefined || depth === 0 ? {} : { cause: copyError(inner, change, depth - 1) },
  )
  copy.name = change(textOf(error.name))
  copy.stack = textOf(error.stack).split('\n').map(change).join('\n')
  const code = errorCode(error)
  return code === '' ? copy : Object.assign(copy, { code: change(code) })
}

/** A field of an error, which anybody may have set to anything. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
