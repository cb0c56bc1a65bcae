import { isPromptsError, PromptsError } from '../../errors/prompts-error.ts'
import type { ErrorView } from '../protocol.ts'

/** What the page may know of an error: no cause, no stack. */
export function errorView(error: unknown): ErrorView {
  const known = isPromptsError(error)
    ? error
    : new PromptsError('UNEXPECTED', {
        reason: error instanceof Error ? error.message : String(error),
      })
  const { code, why, fix } = known
  return { code, why, fix }
}
