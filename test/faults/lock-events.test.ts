import { describe, expect, test } from 'vitest'
import { watchLock } from '../../src/plugin/vite-dev.ts'

type Server = Parameters<typeof watchLock>[0]
type Session = Parameters<typeof watchLock>[1]

/** A watch over a lock that is read as often as it says, broken at the reads of these numbers. */
function watchedLock(brokenReads: readonly number[] = []) {
  const seen = { reads: 0, sent: [] as string[] }
  const server = {
    ws: { send: ({ type }: { type: string }) => void seen.sent.push(type) },
    config: { logger: { error: () => undefined } },
  }
  const session = {
    refresh: () =>
      brokenReads.includes(++seen.reads)
        ? Promise.reject(new Error('broken'))
        : Promise.resolve({ lock: seen.reads }),
  }
  const watch = watchLock(server as unknown as Server, session as unknown as Session)
  const burst = (): Promise<unknown[]> =>
    Promise.all(Array.from({ length: 50 }, () => watch.settle()))
  return { seen, burst }
}

describe('a burst of events of the lock in dev (FAULTS 59)', () => {
  test('is one read, and every listener gets what it gave', async () => {
    const { seen, burst } = watchedLock()
    expect(new Set(await burst())).toEqual(new Set([{ lock: 1 }]))
    expect(seen).toEqual({ reads: 1, sent: [] })
    await burst()
    expect(seen.reads).toBe(2)
  })

  test('over a broken lock is one error in the overlay, which the next good read clears once', async () => {
    const { seen, burst } = watchedLock([1, 2])
    expect(new Set(await burst())).toEqual(new Set([undefined]))
    expect(seen.sent).toEqual(['error'])
    await burst()
    await burst()
    await burst()
    expect(seen.sent).toEqual(['error', 'error', 'update'])
  })
})
