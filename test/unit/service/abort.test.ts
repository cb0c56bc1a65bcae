import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { clock } from '../../../src/service/retry.ts'
import {
  answer,
  drip,
  type FaultServer,
  json,
  stall,
  startFaultServer,
} from '../../helpers/fault-server.ts'
import { connect, listed, outcome } from '../../helpers/service-client.ts'
import { SOON } from '../../helpers/soon.ts'

/** Resolves with the next message of a channel of undici. */
function published(channel: string): Promise<void> {
  return new Promise((resolve) => {
    const onMessage = (): void => resolve()
    subscribe(channel, onMessage)
    onTestFinished(() => void unsubscribe(channel, onMessage))
  })
}

/** Waits until a server has no connection any more. */
async function allClosed({ open }: FaultServer): Promise<void> {
  await vi.waitFor(() => expect(open()).toBe(0), SOON)
}

/** Resolves when a client begins to wait for a retry. */
async function waiting(): Promise<void> {
  const sleep = vi.spyOn(clock, 'sleep')
  onTestFinished(() => sleep.mockRestore())
  await vi.waitFor(() => expect(sleep).toHaveBeenCalled(), SOON)
}

/** What the server does, and what resolves once the client is in the situation. */
const situations = [
  ['while no headers come', stall, () => published('undici:client:sendHeaders')],
  ['while a body drips', drip(10), () => published('undici:request:headers')],
  ['while it waits for a retry', answer(429, '', { 'retry-after': '30' }), waiting],
] as const

describe('the signal of the caller', () => {
  test.each(situations)(
    'an abort of the caller ends a read %s, with its reason',
    async (_, play, reach) => {
      const reached = reach()
      const server = await startFaultServer(play)
      const { signal, abort } = abortable()
      const service = connect(server.url, { signal, concurrency: 1 })
      const reads = Promise.allSettled([service.list(), service.get('a'), service.get('b')])
      await reached
      const reason = { why: 'Ctrl-C' }
      abort(reason)
      expect(await reads).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason })))
      await expect(service.list()).rejects.toBe(reason)
      // Vitest itself fails on a rejection that nobody handles.
      await allClosed(server)
    },
  )

  test('a signal that is aborted already rejects at once and sends nothing', async () => {
    const server = await startFaultServer(json(listed))
    const service = connect(server.url, { signal: AbortSignal.abort('stop') })
    await expect(service.list()).rejects.toBe('stop')
    expect(server.connections()).toBe(0)
  })

  test('an abort closes idle connections', async () => {
    const server = await startFaultServer(json(listed))
    const { signal, abort } = abortable()
    await connect(server.url, { signal }).list()
    expect(server.open()).toBe(1)
    abort('stop')
    await allClosed(server)
  })

  test('an abort frees a connection that is still being made', async () => {
    const server = await startFaultServer(stall)
    const { signal, abort } = abortable()
    const service = connect(server.url.replace('http:', 'https:'), { signal })
    const read = outcome(service.list())
    await vi.waitFor(() => expect(server.open()).toBe(1), SOON)
    abort('stop')
    expect(await read).toBe('stop')
    await allClosed(server)
  })
})

function abortable(): { signal: AbortSignal; abort: (reason: unknown) => void } {
  const aborter = new AbortController()
  return { signal: aborter.signal, abort: (reason) => aborter.abort(reason) }
}
