import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readWorkspace } from '../../../src/service/read-workspace.ts'
import { clock } from '../../../src/service/retry.ts'
import {
  answer,
  drip,
  head,
  json,
  type Play,
  stall,
  startFaultServer,
} from '../../helpers/fault-server.ts'
import type { Progress } from '../../../src/service/sender.ts'
import { startLocalServer } from '../../helpers/local-server.ts'
import {
  connect,
  KEY,
  listed,
  openHosted,
  passTime,
  rejection,
  served,
  stopTime,
  summary,
  TIMEOUT,
} from '../../helpers/service-client.ts'
import { SOON } from '../../helpers/soon.ts'

/** How long an attempt waits for headers. */
const HEADERS = TIMEOUT / 3

/** Accepts the request, until the attempt ends. */
const stallForHeaders: Play = () => passTime(HEADERS)

/** Acts once, when a client has the headers of an answer and reads its body. */
function inBody(act: () => void): void {
  const onHeaders = (): void => {
    unsubscribe('undici:request:headers', onHeaders)
    setImmediate(act)
  }
  subscribe('undici:request:headers', onHeaders)
}

describe('deadlines', () => {
  test('headers that never come are retried while the deadline allows it', async () => {
    stopTime(0)
    const server = await startFaultServer(stallForHeaders)
    const error = await rejection(connect(server.url).list())
    const details = { milliseconds: TIMEOUT, attempts: 3 }
    expect(error).toMatchObject({ code: 'SERVICE_TIMEOUT', details })
    expect(server.requests).toHaveLength(3)
  })

  test('a dripping body ends at the deadline, without a retry, and is not received any longer', async () => {
    const sockets: Socket[] = []
    const server = await startFaultServer((socket, request) => {
      sockets.push(socket)
      drip(20)(socket, request)
    })
    inBody(() => passTime(TIMEOUT))
    const error = await rejection(connect(server.url).list())
    expect(error).toMatchObject({ code: 'SERVICE_TIMEOUT', details: { attempts: 1 } })
    expect(server.requests).toHaveLength(1)
    await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]), SOON)
  })

  test('an error whose body drips does not use up the deadline', async () => {
    const slowly: Play = (socket) => {
      socket.write(head(503, { 'content-length': '100000' }))
      const timer = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(timer))
    }
    const codes: string[] = []
    const onProgress = (event: Progress): void => {
      if (event.kind === 'retry') codes.push(event.error.code)
    }
    inBody(() => passTime(HEADERS))
    const server = await startFaultServer([slowly, json(listed)])
    expect(await connect(server.url, { onProgress }).list()).toEqual(listed)
    expect(codes).toEqual(['SERVICE_FAILED'])
  })

  test.each([
    ['TLS handshake', (url: string) => connect(url.replace('http:', 'https:'))],
    [
      'proxy',
      (url: string) => connect('https://service.test', { processEnv: { HTTPS_PROXY: url } }),
    ],
  ])('a %s that hangs is a timeout', async (_, connectTo) => {
    const { url, connections } = await startFaultServer(stall)
    const error = rejection(connectTo(url).list())
    await vi.waitFor(() => expect(connections()).toBeGreaterThan(0), SOON)
    passTime(TIMEOUT)
    expect(await error).toMatchObject({ code: 'SERVICE_TIMEOUT', details: { attempts: 1 } })
  })

  test('a wait that is longer than the deadline does not end it', async () => {
    const limited = answer(429, '', { 'retry-after': '10' })
    const server = await startFaultServer([limited, json(listed)])
    stopTime()
    const sleep = vi.spyOn(clock, 'sleep').mockImplementation(async (wait) => passTime(wait))
    onTestFinished(() => sleep.mockRestore())
    expect(await connect(server.url).list()).toEqual(listed)
    expect(sleep).toHaveBeenCalledWith(2 * TIMEOUT, expect.anything())
  })

  test('the deadline of a read does not run while other reads are awaited', async () => {
    const slugs = Array.from({ length: 40 }, (_, index) => `prompt-${index}`)
    const prompts = slugs.map((slug) => ({ ...summary, slug }))
    const url = await startLocalServer(({ url: path = '' }, response) => {
      const slug = slugs.find((each) => path.endsWith(`/${each}`))
      const body = slug === undefined ? { ...listed, prompts } : { ...served, slug }
      response.setHeader('content-type', 'application/json')
      passTime(TIMEOUT / 10)
      response.end(JSON.stringify(body))
    })
    stopTime()
    const service = openHosted(url, [KEY], { concurrency: 1 })
    const request = { isSelected: () => true, concurrency: 1 }
    expect(await readWorkspace(service, request)).toMatchObject({ reads: 40 })
  })
})
