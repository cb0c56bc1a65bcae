import { describe, expect, onTestFinished, test } from 'vitest'
import { watchLock } from '../../../src/plugin/vite/vite-dev.ts'

type Server = Parameters<typeof watchLock>[0]
type Session = Parameters<typeof watchLock>[1]

/** Watches a lock that counts its reads and is broken at the given reads. */
function watchedLock(brokenReads: readonly number[] = []) {
  const seen = { reads: 0, sent: [] as string[] }
  const server = {
    environments: {
      client: {
        hot: {
          send: ({ type, err }: { type: string; err?: { message: string } }) =>
            void seen.sent.push(err?.message ?? type),
        },
      },
    },
    config: { logger: { error: () => undefined } },
  }
  const session = {
    reload: () =>
      brokenReads.includes(++seen.reads) ? Promise.reject(new Error('broken')) : Promise.resolve(),
    declare: () => Promise.resolve(),
  }
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const page = (): string => 'http://localhost:5173/__prompts/'
  const update = watchLock(server as unknown as Server, session as unknown as Session, {
    page,
    signal: stop.signal,
  })
  const burst = (): Promise<void[]> => Promise.all(Array.from({ length: 50 }, update))
  return { seen, burst }
}

describe('a burst of events of the lock in dev', () => {
  test('a burst of events of the lock is one read', async () => {
    const { seen, burst } = watchedLock()
    await burst()
    expect(seen).toEqual({ reads: 1, sent: [] })
    await burst()
    expect(seen.reads).toBe(2)
  })

  test('a burst of events over a lock that is half written shows no error', async () => {
    const { seen, burst } = watchedLock([1])
    await burst()
    expect(seen).toEqual({ reads: 2, sent: [] })
  })
})
