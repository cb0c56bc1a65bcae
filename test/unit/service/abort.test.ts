import { getEventListeners } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/service/retry.ts'
import { answer, drip, json, stall, startFaultServer } from '../../helpers/fault-server.ts'
import { connect, listed, outcome } from '../../helpers/service-client.ts'

const soon = (milliseconds: number): Promise<void> =>
  systemClock.sleep(milliseconds, new AbortController().signal)

/** Fails the test on every unhandled rejection. */
function watchRejections(): unknown[] {
  const unhandled: unknown[] = []
  const note = (reason: unknown): number => unhandled.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return unhandled
}

const situations = [
  ['while no headers come', stall],
  ['while a body drips', drip(10)],
  ['while it waits for a retry', answer(429, '', { 'retry-after': '30' })],
] as const

describe('the signal of the caller', () => {
  // Without the signal, they end after 30 seconds or never.
  test.each(situations)('rejects %s with its reason', { timeout: 15_000 }, async (_, play) => {
    const unhandled = watchRejections()
    const server = await startFaultServer(play)
    const { signal, abort } = abortable()
    const service = connect(server.url, { signal, concurrency: 1 }, systemClock)
    const reads = Promise.allSettled([service.list(), service.get('a'), service.get('b')])
    await soon(60)
    const reason = { why: 'Ctrl-C' }
    abort(reason)
    expect(await reads).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason })))
    await expect(service.list()).rejects.toBe(reason)
    await soon(20)
    expect([server.open(), unhandled]).toEqual([0, []])
  })

  test('one that is aborted already rejects at once and sends nothing', async () => {
    const server = await startFaultServer(json(listed))
    const service = connect(server.url, { signal: AbortSignal.abort('stop') })
    await expect(service.list()).rejects.toBe('stop')
    expect(server.connections()).toBe(0)
  })
})

describe('close', () => {
  test.each(situations)('rejects %s with an AbortError', async (_title, play) => {
    const unhandled = watchRejections()
    const server = await startFaultServer(play)
    const service = connect(server.url, {}, systemClock)
    const read = outcome(service.list())
    await soon(60)
    await service.close()
    expect(await read).toMatchObject({ name: 'AbortError' })
    await soon(20)
    expect([server.open(), unhandled]).toEqual([0, []])
  })

  test('closes idle connections, and may be called again or unused', async () => {
    const server = await startFaultServer(json(listed))
    const service = connect(server.url)
    await service.list()
    expect(server.open()).toBe(1)
    await Promise.all([service.close(), service.close()])
    await service.close()
    await soon(20)
    expect(server.open()).toBe(0)
    await expect(service.list()).rejects.toMatchObject({ name: 'AbortError' })
    await connect(server.url).close()
  })

  test('frees a connection that is still being made', async () => {
    const server = await startFaultServer(stall)
    const service = connect(server.url.replace('http:', 'https:'), {}, systemClock)
    const read = outcome(service.list())
    await soon(60)
    expect(server.open()).toBe(1)
    await service.close()
    expect(await read).toMatchObject({ name: 'AbortError' })
    await soon(20)
    expect(server.open()).toBe(0)
  })

  test('leaves the signal of the caller without listeners', async () => {
    const server = await startFaultServer(json(listed))
    const { signal } = abortable()
    const service = connect(server.url, { signal })
    await service.list()
    await service.close()
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

function abortable(): { signal: AbortSignal; abort: (reason: unknown) => void } {
  const aborter = new AbortController()
  return { signal: aborter.signal, abort: (reason) => aborter.abort(reason) }
}
