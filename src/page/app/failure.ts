import type { ErrorView } from '../protocol.ts'

/** A failed request to the dev server. */
export function failureView(error: unknown): ErrorView {
  const why = error instanceof Error ? error.message : String(error)
  return { code: '', why, fix: 'Is the dev server running?' }
}
