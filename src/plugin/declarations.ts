import { setTimeout as delay } from 'node:timers/promises'
import { changedContracts } from '../codegen/plan-module.ts'
import { type Entry, lockOf } from '../core/lock/entry.ts'
import { createQueue } from '../core/queue.ts'
import type { SessionContext } from './context.ts'
import type { Loaded, Session } from './session.ts'

/**
 * Milliseconds between a change and the declarations of a dev server. Printing declarations blocks the server, and
 * browsers should fetch the changed modules first.
 */
const DELAY = 500

/**
 * Keeps the declarations current while the lock changes. They change with a contract; comments and the map wait for
 * a start or a pull.
 */
export function followDeclarations(
  session: Session,
  { isServer }: Pick<SessionContext, 'isServer'>,
): void {
  const inTurn = createQueue()
  let latest: Loaded
  let declared: readonly Entry[] | undefined
  let waiting: Promise<void> | undefined
  const write = (): Promise<void> =>
    inTurn(async () => {
      const { project, snapshot } = latest
      const { entries } = snapshot.plan
      const lock = lockOf(entries)
      if (declared === undefined || changedContracts(lockOf(declared), lock).length > 0)
        await project.writeDeclarations(lock)
      declared = entries
    })
  const writeLater = async (): Promise<void> => {
    await delay(DELAY, undefined, { ref: false })
    waiting = undefined
    await write().catch((error: unknown) => session.fail(error))
  }
  session.listen(async (event) => {
    if (event.kind === 'failed') return
    latest = event
    // The start has written them.
    if (event.isStart) declared = event.snapshot.plan.entries
    else if (isServer) waiting ??= writeLater()
    else await write()
  })
}
