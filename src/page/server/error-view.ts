import { toPromptsError } from '../../errors/prompts-error.ts'
import type { ErrorAnswer, ErrorView } from '../protocol.ts'

/** An error for the page, without cause and stack. */
export function errorView(error: unknown): ErrorView {
  const { code, why, fix } = toPromptsError(error)
  return { code, why, fix }
}

/** An error as an answer of the page. */
export function errorAnswer(error: unknown): ErrorAnswer {
  return { kind: 'error', error: errorView(error) }
}
