import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../errors/error-code.ts'

/** Error codes of Windows for a file that another program has open. */
const BUSY: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY'])

/**
 * Runs `work`, and runs it again after each delay while another program has the file open.
 *
 * @param delays - in milliseconds; empty if the first error is final
 * @throws the last error of `work`, or its first one of another kind
 */
export async function retryOnBusy(
  work: () => Promise<void>,
  delays: readonly number[],
): Promise<void> {
  const [wait, ...later] = delays
  try {
    await work()
  } catch (error) {
    if (wait === undefined || !BUSY.has(errorCode(error))) throw error
    await delay(wait)
    await retryOnBusy(work, later)
  }
}
