/** The code of an error of the system, TLS or undici, such as `ENOENT`; `''` if it has none. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
