import { isPromptsError, PromptsError } from '../../errors/catalogue.ts'
import type { FaultView } from '../protocol.ts'

/** What the page may know of an error: no cause, no stack. */
export function faultView(error: unknown): FaultView {
  const fault = isPromptsError(error)
    ? error
    : new PromptsError('UNEXPECTED', {
        reason: error instanceof Error ? error.message : String(error),
      })
  const { code, why, fix } = fault
  return { code, why, fix }
}
