import { isPromptsError, PromptsError } from '../../errors/prompts-error.ts'
import type { ErrorAnswer, ErrorView } from '../protocol.ts'

/** An error for the page, without cause and stack. */
export function errorView(error: unknown): ErrorView {
  const known = isPromptsError(error)
    ? error
    : new PromptsError('UNEXPECTED', {
        reason: error instanceof Error ? error.message : String(error),
      })
  const { code, why, fix } = known
  return { code, why, fix }
}

/** An error as an answer of the page. */
export function errorAnswer(error: unknown): ErrorAnswer {
  return { kind: 'error', error: errorView(error) }
}
