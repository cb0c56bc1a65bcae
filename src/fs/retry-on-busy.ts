import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from './code-of.ts'

/** What Windows reports for a file that another program has open. */
const BUSY: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY'])

/**
 * Runs `work`, and again after each of the waits while another program has the file open.
 *
 * @param waits - in milliseconds; empty when such an error is final
 * @throws the last error of `work`, or its first one of another kind
 */
export async function retryOnBusy(
  work: () => Promise<void>,
  waits: readonly number[],
): Promise<void> {
  const [wait, ...later] = waits
  try {
    await work()
  } catch (error) {
    if (wait === undefined || !BUSY.has(codeOf(error))) throw error
    await delay(wait)
    await retryOnBusy(work, later)
  }
}
