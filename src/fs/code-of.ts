/** The code of an error of the system, of TLS or of undici, such as `ENOENT`; `''` where it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
