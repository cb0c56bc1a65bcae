/** The code of an error of the system, TLS or undici, such as `ENOENT`; `''` if it has none. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
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
  if (!(error instanceof Error)) return new Error(change(String(error)))
  const inner = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined)
  const copy = new Error(
    change(error.message),
    inner === undefined || depth === 0 ? {} : { cause: copyError(inner, change, depth - 1) },
  )
  copy.name = change(error.name)
  copy.stack = (error.stack ?? '').split('\n').map(change).join('\n')
  const code = errorCode(error)
  return code === '' ? copy : Object.assign(copy, { code: change(code) })
}
