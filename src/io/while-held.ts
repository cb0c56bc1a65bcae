import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from './code-of.ts'

/** By what Windows refuses to touch a file that another program has open just then. */
const HELD: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY'])

/**
 * Does a piece of work that another program's hold on a file may refuse, and does it again after
 * each of some waits.
 *
 * @param waits - in milliseconds; none where a refusal is for good
 * @throws what the work throws the last time, or for any other reason
 */
export async function whileHeld(
  work: () => Promise<void>,
  waits: readonly number[],
): Promise<void> {
  const [wait, ...later] = waits
  try {
    await work()
  } catch (error) {
    if (wait === undefined || !HELD.has(codeOf(error))) throw error
    await delay(wait)
    await whileHeld(work, later)
  }
}
